-- A chapter's page: the filters of the book, then what page.lua does to blocks,
-- then all as HTML that holds no citation (html.lua), in one Lua state, before
-- citeproc. The frame (page.lua) follows behind it.

local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
package.path = here .. '/?.lua;' .. here .. '/../filters/?.lua;' .. here ..
               '/../filters/lib/?.lua;' .. package.path

local chain = require 'chain'
local citations = require 'citations'
local html = require 'html'
local page = require 'page'
local reading = require 'reading'

return chain.filter(function(document)
  local held = page.held_back(document)
  local length = reading.of(document)
  if not held then return document, {reading = length} end
  local sections
  local style = citations.sort(document, held)
  document, sections = page.dressed(document, true)
  document = html.written(document)
  page.put_back(document, held)
  return document, {['book-sections'] = sections, csl = style,
                    reading = length}
end)
