-- "did you mean …": the nearest of the names that exist.

local M = {}

local function distance(a, b)
  local previous = {}
  for j = 0, #b do previous[j] = j end
  for i = 1, #a do
    local current = {[0] = i}
    for j = 1, #b do
      local cost = a:byte(i) == b:byte(j) and 0 or 1
      current[j] = math.min(previous[j] + 1, current[j - 1] + 1,
                            previous[j - 1] + cost)
    end
    previous = current
  end
  return previous[#b]
end

local function nearest(name, names)
  local best, least = nil, math.max(2, #name // 3) + 1
  for _, candidate in ipairs(names) do
    local d = distance(name:lower(), candidate:lower())
    if d < least then best, least = candidate, d end
  end
  return best
end

-- The keys of a table, sorted; only those whose value keep(value) wants.
function M.keys(t, keep)
  local list = {}
  for key, value in pairs(t) do
    if not keep or keep(value) then list[#list + 1] = key end
  end
  table.sort(list)
  return list
end

local limit = 24

-- "did you mean 'tile'? It has: copy, naive, tile"
function M.among(name, names, lead)
  if #names == 0 then return lead .. ' none' end
  local shown = {table.unpack(names, 1, limit)}
  if #names > limit then
    shown[#shown + 1] = string.format('… (%d in all)', #names)
  end
  local best = nearest(name, names)
  return (best and "did you mean '" .. best .. "'? " or '') ..
         lead .. ' ' .. table.concat(shown, ', ')
end

return M
