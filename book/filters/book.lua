-- The filter chain of the book, the only file to name with `-L`:
--
--   pandoc -f markdown -t html5 -L book/filters/book.lua -M book-root=. …
--
-- pandoc gives every -L a Lua state of its own.  One entry point lets all
-- filters share one: each CSV is read once and all errors come out together.
-- They work on the document as tables of Lua's own (lib/tree.lua), which it
-- becomes once, before the first, and ceases to be behind the last.

local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
package.path = here .. '/?.lua;' .. here .. '/lib/?.lua;' .. package.path

-- The order matters: `begin` reads settings, `sentence` reads the chapter as it
-- was written, `include` brings in manuals, `result_tables` writes one
-- table for each value of a column,
-- `markup` refuses what is misspelt, `unmark` drops the marks of sentences;
-- `number` gives every label its number before anything is moved;
-- `exercise` moves solutions to the end in print, so it goes before what puts
-- footnotes; `listing`, `figure` and `result_table` build blocks whose captions
-- may hold results; `reference` sees the links that the others made;
-- `first_use` links the words of the glossary that nobody linked; `sidenote` puts
-- the sources of a paragraph's numbers beside it; `finish`
-- stops if anything was wrong and adds the sources.
local order = {
  'begin', 'sentence', 'include', 'result_tables', 'markup', 'unmark',
  'number', 'exercise', 'listing', 'figure', 'result_table', 'result',
  'claim', 'reference', 'first_use', 'sidenote',
  'finish',
}

local tree = require 'tree'
tree.install()

local chain = {}
for _, name in ipairs(order) do
  for _, filter in ipairs(require(name)) do
    chain[#chain + 1] = filter
  end
end

return {{Pandoc = function(doc)
  local document = tree.read(doc)
  for _, filter in ipairs(chain) do document = tree.apply(filter, document) end
  return tree.write(document)
end}}
