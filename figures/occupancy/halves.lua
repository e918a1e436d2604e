-- title: The two halves of L2, seen from one SM
-- data: bench/occupancy/halves.reference.csv
-- data: bench/occupancy/latency.reference.csv
-- data: bench/hardware/l2.reference.csv
local function median(side, column)
  local values = {}
  for _, row in ipairs(data.csv('occupancy/halves'):select{side = side}) do
    values[#values + 1] = row[column]
  end
  table.sort(values)
  return values[(#values + 1) // 2]
end
-- In the first walk from the other side, half of the lines are at home near by.
local near = median('other', 'again_cycles')
local far = 2 * median('other', 'first_cycles') - near
local memory = data.csv('occupancy/latency'):one{what = 'global',
                                                 n_bytes = 268435456}.latency_cycles
local size = 0
for _, row in ipairs(data.csv('hardware/l2'):select{}) do
  size = math.max(size, row.l2_bytes)
end
local half = size / 2 / 1048576

local gap = d:choose(70, 46)
local w = d:choose(178, 108)
local sm_w = d:choose(70, 40)
local y, h = 40, 76
local x_sm = d.left
local x_near = x_sm + sm_w + gap
local x_far = x_near + w + gap * d:choose(1, 0.6)
local y_memory = y + h + 48
d:rect(x_sm, y + 18, sm_w, h - 36, {fill = 'gpu', tint = 0.4, radius = 4})
d:fit(x_sm, y + 18, sm_w, h - 36, 'SM', {size = 'small'})
local function half_of_l2(x, name, rows)
  d:rect(x, y, w, h, {line = 'ink', radius = 4})
  d:text(x + w / 2, y - 12, {d:choose('%s half of L2: %s MiB', '%s: %s MiB'), name,
                             number(half, 2)}, {size = 'small', align = 'middle'})
  for i, row in ipairs(rows) do
    local top = y + 6 + (i - 1) * 34
    d:rect(x + 6, top, w - 12, 30, {fill = row[2], tint = row[3], radius = 3})
    d:fit(x + 6, top, w - 12, 30, row[1], {size = 'small'})
  end
end
half_of_l2(x_near, 'near', {
  {d:choose('lines at home here', 'at home here'), 'load', 0.35},
  {d:choose('copies of far lines', 'copies'), 'store', 0.35}})
half_of_l2(x_far, 'far', {
  {d:choose('lines at home here', 'at home here'), 'store', 0.35}})
d:rect(x_near, y_memory, x_far + w - x_near, 30, {fill = 'memory', tint = 0.2,
                                                  radius = 4})
d:fit(x_near, y_memory, x_far + w - x_near, 30, 'memory', {size = 'small'})
local middle = y + h / 2
d:arrow({x_near - 3, middle, x_sm + sm_w + 3, middle}, {line = 'ink'})
d:text((x_sm + sm_w + x_near) / 2, middle - 12, number(near, 3),
       {size = 'small', align = 'middle'})
d:arrow({x_far - 3, middle, x_near + w + 3, middle}, {line = 'ink'})
d:text((x_near + w + x_far) / 2, middle - 12, number(far, 3),
       {size = 'small', align = 'middle'})
for _, x in ipairs {x_near, x_far} do
  d:arrow({x + w / 2, y_memory - 3, x + w / 2, y + h + 3}, {line = 'ink'})
  d:text(x + w / 2 + 8, (y + h + y_memory) / 2, number(memory, 3), {size = 'small'})
end
d.height = y_memory + 38
d:alt(('An SM at the left, then the near and the far half of L2, %s MiB each, and ' ..
  'memory below both. The near half has lines of its own and copies of lines whose ' ..
  'home is the far half. A load takes %s cycles from the near half, %s from the far ' ..
  'one, and %s from memory.'):format(number(half, 2), number(near, 3), number(far, 3),
  number(memory, 3)))
