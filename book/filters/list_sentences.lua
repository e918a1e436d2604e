-- Run by list-sentences: the sentences of a chapter, one a line:
--
--   <file:line> <state> <word that makes it suspicious, or -> <sentence>
--
-- separated by tabs.

local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
package.path = here .. '/?.lua;' .. here .. '/lib/?.lua;' .. package.path

local chain = require 'chain'
local tree = require 'tree'
local settings = require 'settings'
local sentence = require 'sentence'
local suspicion = require 'suspicion'

local function list(doc)
  doc = chain.run({'begin', 'values'}, doc)
  local lines = {}
  for _, entry in ipairs(sentence.chapter(doc)) do
    local state, word = sentence.state(entry)
    word = word or suspicion.words(entry)[1]
    lines[#lines + 1] = table.concat(
      {settings.chapter .. ':' .. entry.line, state, word and word.text or '-',
       entry.text}, '\t')
  end
  return tree.write(pandoc.Pandoc {
    pandoc.RawBlock('plain', table.concat(lines, '\n'))})
end

return {{Pandoc = list}}
