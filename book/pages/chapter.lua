-- A chapter's page up to citeproc: the filters of the book, then what page.lua
-- does to blocks, in one Lua state. After citeproc, page.lua adds the frame.

local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
package.path = here .. '/?.lua;' .. here .. '/../filters/?.lua;' .. here ..
               '/../filters/lib/?.lua;' .. package.path

local chain = require 'chain'
local formulas = require 'formulas'
local page = require 'page'
local reading = require 'reading'

return chain.filter(function(document)
  local length = reading.of(document)
  local sections
  document, sections = page.dressed(document)
  -- Last, because a caption's name is made of its formulas' text.
  return formulas.write(document),
         {['book-sections'] = sections, reading = length}
end)
