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

-- The document, as tables, after these filters, less one of them.
function M.run(names, doc, without)
  local document = tree.read(doc)
  for _, name in ipairs(names) do
    for _, filter in ipairs(name ~= without and require(name) or {}) do
      document = tree.apply(filter, document)
    end
  end
  return document
end

-- `last`, if given, gets a page's document after all filters; what it gives is
-- the document and front matter to add. A page leaves its sentences to
-- list_labels.lua, which runs at the same time.
function M.filter(last)
  return {{Pandoc = function(doc)
    local document, front = M.run(order, doc, last and 'sentence'), {}
    if last then document, front = last(document) end
    local made = tree.write(document, last ~= nil)
    for key, value in pairs(front) do made.meta[key] = value end
    -- citeproc need not read the bibliography again.
    made.meta.references, made.meta.bibliography = document.references, nil
    return made
  end}}
end

return M
