-- All filters of the book, in their order, as one.

-- The order matters: `begin` reads settings, `values` puts the chapter's values
-- and claims where their names are, `sentence` reads what was written, `include`
-- brings in manuals, `result_tables` writes one table for each value of a column,
-- `markup` refuses what is misspelt;
-- `number` gives every label its number before anything is moved;
-- `exercise` moves solutions to the end in print, so it goes before what puts
-- footnotes; `listing`, `figure` and `result_table` build blocks whose captions
-- may hold results; `callout` needs the listings that `listing` built, in the
-- chapter's order; `reference` sees the links that the others made;
-- `first_use` links the glossary's words where the author did not; `sidenote`
-- adds the sources of a paragraph's numbers; `thousands` joins the groups of
-- typed numbers, whose spaces `sentence` had to see; `finish` stops
-- if anything was wrong and adds the sources.
local order = {
  'begin', 'values', 'sentence', 'include', 'result_tables', 'markup',
  'number', 'exercise', 'listing', 'callout', 'figure', 'result_table',
  'result',
  'claim', 'reference', 'first_use', 'sidenote', 'thousands',
  'finish',
}

local tree = require 'tree'
tree.install()

local M = {}

-- The document, as tables, after these filters.
function M.run(names, doc)
  local document = tree.read(doc)
  for _, name in ipairs(names) do
    for _, filter in ipairs(require(name)) do
      document = tree.apply(filter, document)
    end
  end
  return document
end

-- A page leaves its sentences to list_labels.lua, which runs at the same time.
local function without_sentences()
  local names = {}
  for _, name in ipairs(order) do
    if name ~= 'sentence' then names[#names + 1] = name end
  end
  return names
end

-- `last`, if given, gets a page's document after all filters; what it gives is
-- the document and front matter to add.
function M.filter(last)
  return {{Pandoc = function(doc)
    local names = last and without_sentences() or order
    local document, front = M.run(names, doc), {}
    if last then document, front = last(document) end
    local made = tree.write(document, last ~= nil)
    for key, value in pairs(front) do made.meta[key] = value end
    -- citeproc need not read the bibliography again.
    made.meta.references, made.meta.bibliography = document.references, nil
    return made
  end}}
end

return M
