-- Citations of a chapter in the order that the style's `<sort>` gives them,
-- without citeproc's sorting (order.lua says why).

local M = {}

-- key → {place in the list of what is cited, rank within brackets}
local function read_order(path)
  local order = {}
  local file = io.open(path)
  if not file then return nil end
  for line in file:lines() do
    local key, place, rank = line:match('^([^\t]*)\t(%d+)\t(%d+)$')
    if key then order[key] = {place = tonumber(place), rank = tonumber(rank)} end
  end
  file:close()
  return order
end

-- Sorts what stands in one pair of brackets; false if only citeproc can.
local function sort(citations, order)
  if #citations < 2 then return true end
  local before = {}
  for i, citation in ipairs(citations) do
    if #citation.prefix > 0 or #citation.suffix > 0 or
       not order[citation.id] then
      return false
    end
    before[citation] = i
  end
  table.sort(citations, function(a, b)
    local one, two = order[a.id].rank, order[b.id].rank
    if one ~= two then return one < two end
    return before[a] < before[b]
  end)
  return true
end

-- Sorts each citation in the document and in blocks beside it. Gives the style
-- that is enough then, or nil where citeproc must sort.
function M.sort(document, blocks)
  local stringify = pandoc.utils.stringify
  local path, style = document.meta['book-order'], document.meta['book-style']
  local order = path and style and read_order(stringify(path))
  if not order then return nil end
  local sorted = true
  local filter = {Cite = function(el)
    sorted = sort(el.citations, order) and sorted
  end}
  document:walk(filter)
  for _, block in ipairs(blocks or {}) do pandoc.Div({block}):walk(filter) end
  return sorted and stringify(style) or nil
end

-- The entries of the list of what is cited, in their order.
function M.sort_list(entries, path)
  local order = path and read_order(path)
  if not order then return end
  local function place(entry)
    local at = order[entry.identifier:match('^ref%-(.*)$') or '']
    return at and at.place or 0
  end
  table.sort(entries, function(a, b) return place(a) < place(b) end)
end

return M
