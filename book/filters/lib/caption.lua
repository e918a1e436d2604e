-- Captions: "Listing 13.2" and the text, for HTML and for LaTeX.

local settings = require 'settings'
local labels = require 'labels'
local escape = require 'escape'

local M = {}

function M.raw(text) return pandoc.RawBlock('latex', text) end

function M.inline(text) return pandoc.RawInline('latex', text) end

-- All blocks of a caption as inlines.
function M.inlines(blocks)
  return pandoc.utils.blocks_to_inlines(blocks)
end

function M.is_empty(inlines)
  return pandoc.utils.stringify(inlines):match('^%s*$') ~= nil
end

-- "Listing 13.2" of a label, or nil for what has none.
function M.label(id)
  local entry = labels.own[id]
  return entry and labels.name(entry)
end

-- Inlines of a labelled caption in HTML.
function M.html(id, inlines)
  local list, label = pandoc.List(), M.label(id)
  if label then
    list:extend {pandoc.Span(label, {class = 'label'}), pandoc.Space()}
  end
  list:extend(inlines)
  return list
end

-- A block with the same in LaTeX.
function M.latex(id, inlines)
  local label = escape.latex(M.label(id) or '')
  local list = pandoc.List {M.inline('\\bookcaption{' .. label .. '}{')}
  list:extend(inlines)
  list:insert(M.inline('}'))
  return pandoc.Plain(list)
end

-- The caption as a block of class `caption`.
function M.block(id, inlines)
  if settings.latex then return M.latex(id, inlines) end
  return pandoc.Div(pandoc.Plain(M.html(id, inlines)), {class = 'caption'})
end

return M
