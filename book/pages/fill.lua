-- Pages that a filter fills from rows which the build has written: what these
-- filters have in common.

local M = {words = pandoc.Inlines}

-- The rows of a file of fields between tabs.
function M.rows(path)
  local found = {}
  for line in io.lines(path) do
    local cells = {}
    for cell in (line .. '\t'):gmatch('([^\t]*)\t') do
      cells[#cells + 1] = cell
    end
    found[#found + 1] = cells
  end
  return found
end

function M.para(text) return pandoc.Para(M.words(text)) end

-- As an item of a list, or a cell.
function M.item(text)
  return text ~= '' and {pandoc.Plain(M.words(text))} or {}
end

-- heads: texts; body: rows of cells, lists of blocks; aligns: of the columns that
-- are not left.
function M.table(caption, heads, body, aligns)
  local all, widths, cells = {}, {}, {}
  for i, head in ipairs(heads) do
    all[i], widths[i] = aligns and aligns[i] or 'AlignLeft', 0
    cells[i] = M.item(head)
  end
  return pandoc.utils.from_simple_table(
    pandoc.SimpleTable(M.words(caption), all, widths, cells, body))
end

-- The document with what each maker gives in the place of its class.
function M.fill(doc, makers)
  return doc:walk{Div = function(div)
    for class, make in pairs(makers) do
      if div.classes:includes(class) then
        div.content = make()
        return div
      end
    end
  end}
end

return M
