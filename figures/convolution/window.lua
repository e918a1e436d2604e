-- title: Four outputs from a window in registers
-- data: bench/convolution/window_access.software.csv
local map, chosen = 'convolution/window_access', 5

-- The elements that a lane loads or stores, from the first to the last.
local function elements(operation, lane)
  local first, last = math.huge, -1
  for _, request in ipairs(data.requests(map, {space = 'global',
      operation = operation, warp = 0})) do
    for _, row in ipairs(request.lanes) do
      if row.lane == lane then
        first = math.min(first, row.address // 4)
        last = math.max(last, (row.address + row.bytes) // 4 - 1)
      end
    end
  end
  return first, last
end

local first, last = elements('load', chosen)
local first_output, last_output = elements('store', chosen)
local beside_first, beside_last = elements('load', chosen + 1)
local radius = first_output - first
local n_inputs, n_weights = last - first + 1, 2 * radius + 1

local side = d:choose(130, 62)
local w = (d.width - 2 * d.left - side) / (beside_last - first + 1)
local high, gap = d:choose(20, 16), d:choose(4, 3)
local size = d:choose('small', 'tiny')
local y = 2

-- A row of cells, each with its element's number or without.
local function row(said, from, to, look, numbered)
  d:text(d.left, y + high / 2, said, {size = size})
  for element = from, to do
    local x = d.left + side + (element - first) * w
    d:rect(x, y, w - gap, high, look(element))
    if numbered then
      d:fit(x, y, w - gap, high, ('%d'):format(element), {size = 'tiny'})
    end
  end
  y = y + high + gap
end

row({d:choose('lane %d loads', 'lane %d'), chosen}, first, last, function()
  return {fill = 'load', tint = 0.6}
end, not d.narrow)
y = y + 6
for output = first_output, last_output do
  row({d:choose('its output %d', 'output %d'), output}, output - radius,
      output + radius, function(element)
    return {fill = element == output and 'result' or 'load',
            tint = element == output and 0.9 or 0.25}
  end)
end
y = y + 6
row({d:choose('lane %d loads', 'lane %d'), chosen + 1}, beside_first,
    beside_last, function(element)
  return {fill = 'load', tint = element <= last and 0.6 or 0.25}
end, not d.narrow)
d:paragraph(d.left, y + 4, d.width - 2 * d.left,
  ('Each output adds up %d inputs. Loaded one by one, they would be %d loads; ' ..
   '%d inputs in registers serve all four.'):format(n_weights,
   (last_output - first_output + 1) * n_weights, n_inputs),
  {size = size, role = 'muted'})
d:alt(('Lane %d loads elements %d to %d. Below them, four rows of %d cells, ' ..
  'each one cell further to the right, for its outputs %d to %d. The lane ' ..
  'next to it loads elements %d to %d, most of which are the same.'):format(
  chosen, first, last, n_weights, first_output, last_output, beside_first,
  beside_last))
