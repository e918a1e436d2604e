-- title: How the middle of nine values is found by minima and maxima
-- data: bench/images/median_counts.software.csv
-- text: bench/images/network_ptx.software.txt
-- The kernel's PTX is played with these values, in the order of its loads.
local values = {52, 48, 255, 57, 61, 0, 44, 66, 59}

-- ---- Minima and maxima of the first of three channels.
local operations = {}
for _, line in ipairs(data.lines('bench/images/network_ptx.software.txt')) do
  local kind, into, a, b =
    line:match('^%s*(m[inax]+)%.u32%s+(%%r%d+), (%%r%d+), (%%r%d+);')
  if kind then
    operations[#operations + 1] = {kind = kind, into = into, a = a, b = b}
  end
end
if #operations == 0 or #operations % 3 ~= 0 then
  error('the kernel does not do the same for three channels')
end
local n_operations = #operations // 3
for i = #operations, n_operations + 1, -1 do operations[i] = nil end

-- A minimum and a maximum of the same two registers are one comparator. Each
-- register is on a wire: the minimum goes on where its first operand was, the
-- maximum where its second one was. What nothing reads is forgotten.
local comparators, of_pair, is_read, produced = {}, {}, {}, {}
for _, operation in ipairs(operations) do
  local pair = operation.a .. operation.b
  local one = of_pair[pair]
  if not one then
    one = {a = operation.a, b = operation.b}
    of_pair[pair] = one
    comparators[#comparators + 1] = one
  end
  one[operation.kind] = operation.into
  is_read[operation.a], is_read[operation.b] = true, true
  produced[operation.into] = true
end
local inputs, known = {}, {}
for _, operation in ipairs(operations) do
  for _, register in ipairs{operation.a, operation.b} do
    if not produced[register] and not known[register] then
      known[register] = true
      inputs[#inputs + 1] = register
    end
  end
end
table.sort(inputs, function(a, b)
  return tonumber(a:match('%d+')) < tonumber(b:match('%d+'))
end)
if #inputs ~= 9 then error('not nine values, but ' .. #inputs) end

-- Plays it: the median, and for each comparator what its two ends hold.
local function play(given)
  local of = {}
  for i, register in ipairs(inputs) do of[register] = given[i] end
  local last
  for _, one in ipairs(comparators) do
    local low, high = math.min(of[one.a], of[one.b]),
                      math.max(of[one.a], of[one.b])
    if one.min then of[one.min] = low end
    if one.max then of[one.max] = high end
    one.low, one.high = low, high
    last = one.min and low or high
  end
  return last
end
-- Does it find the median? All orders of nine values are too many; nine of
-- 0 and 1 decide it for every network of minima and maxima.
for pattern = 0, 511 do
  local given, ones = {}, 0
  for i = 1, 9 do
    given[i] = pattern >> (i - 1) & 1
    ones = ones + given[i]
  end
  if play(given) ~= (ones > 4 and 1 or 0) then
    error('what is drawn does not find the median')
  end
end
local median = play(values)

-- ---- Wires, and a column for comparators that do not cross each other.
local wire = {}
for i, register in ipairs(inputs) do wire[register] = i end
local columns, end_of, used = 0, {}, {}
local busy = {}          -- by wire: the last column in which it is used
for _, one in ipairs(comparators) do
  local top, bottom = wire[one.a], wire[one.b]
  one.low_wire, one.high_wire = top, bottom
  local column = math.max(busy[top] or 0, busy[bottom] or 0) + 1
  -- Vertical lines of a column do not overlap.
  local from, to = math.min(top, bottom), math.max(top, bottom)
  local function taken()
    for w = from, to do
      if used[column] and used[column][w] then return true end
    end
  end
  while taken() do column = column + 1 end
  used[column] = used[column] or {}
  for w = from, to do used[column][w] = true end
  one.column = column
  columns = math.max(columns, column)
  busy[top], busy[bottom] = column, column
  if one.min then wire[one.min] = top end
  if one.max then wire[one.max] = bottom end
  if not one.min then end_of[top] = {column, one.low} end
  if not one.max then end_of[bottom] = {column, one.high} end
end
local first_use = {}
for _, one in ipairs(comparators) do
  for _, w in ipairs{one.low_wire, one.high_wire} do
    first_use[w] = math.min(first_use[w] or 99, one.column)
  end
end

local size = d:choose('small', 'tiny')
local x0, right = d.left + 30, d.width - d.left - 34
local step = (right - x0) / (columns + 0.5)
local high = d:choose(25, 23)
local y0 = 40
local function x_of(column) return x0 + (column - 0.25) * step end
local function y_of(w) return y0 + (w - 1) * high end
d:text(d.left, 10, {d:choose('%d comparators find the middle of nine values',
                             '%d comparators'), #comparators})
for w = 1, 9 do
  local stop = end_of[w] and x_of(end_of[w][1]) or right
  local start = x_of(first_use[w])
  d:line(x0 - 6, y_of(w), start, y_of(w), {line = 'grid', weight = 1.2})
  d:line(start, y_of(w), stop, y_of(w),
         {line = end_of[w] and 'lane' or 'result',
          weight = end_of[w] and 1.2 or 2})
  d:text(x0 - 10, y_of(w), {'%d', values[w]}, {size = size, align = 'right'})
end
for _, one in ipairs(comparators) do
  local x = x_of(one.column)
  d:line(x, y_of(one.low_wire), x, y_of(one.high_wire),
         {line = 'ink', weight = 1})
  for _, place in ipairs{{one.low_wire, one.min}, {one.high_wire, one.max}} do
    d:circle(x, y_of(place[1]), 3, {fill = place[2] and 'ink' or 'paper',
                                    line = not place[2] and 'bad' or nil,
                                    weight = 1.4})
  end
end
for w = 1, 9 do
  if end_of[w] then
    d:text(x_of(end_of[w][1]) + 6, y_of(w) - 8, {'%d', end_of[w][2]},
           {size = 'tiny', role = 'bad', halo = true})
  else
    d:text(right + 5, y_of(w), {'%d', median}, {size = size, role = 'result'})
  end
end
local below = y0 + 8 * high + 16
local counted = data.software('images/median_counts'):one{version = 'network'}
local of_warp = counted.warp_instructions * 32 /
                (counted.n_rows * counted.n_cols)
d:paragraph(d.left, below, d.width - 2 * d.left,
  ('A stroke compares two values: its filled ends carry on the smaller and ' ..
  'the larger one, and an open end forgets a value. For three channels that is ' ..
  '%d of the %.0f instructions of a warp.'):format(3 * n_operations, of_warp),
  {size = size, role = 'muted'})
d:alt(('Nine horizontal wires with values enter from the left; %d vertical ' ..
  'strokes each compare two of them. At %d ends, the smallest or the largest ' ..
  'of what is left is forgotten, until one wire is left on the right, which ' ..
  'holds the median, %d.'):format(#comparators, #inputs - 1, median))
