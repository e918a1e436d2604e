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

return chain.filter(function(document)
  if page.waits_for_citations(document) then return document end
  local sections
  document, sections = page.dressed(document, true)
  local style = citations.sort(document)
  return html.written(document), {['book-sections'] = sections, csl = style}
end)
