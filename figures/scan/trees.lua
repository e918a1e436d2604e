-- title: Two ways to scan 16 numbers, as the kernels ran
-- data: bench/scan/hillis_steele_access.software.csv
-- data: bench/scan/blelloch_access.software.csv
-- The accesses of the first 16 words are recorded; the script plays them again
-- with these numbers, and checks that a scan comes out.
local input = {3, 1, 7, 0, 4, 1, 6, 3, 2, 5, 1, 4, 0, 2, 6, 1}
local n, block = #input, 1024

-- Levels of warp 0: {loads = {by lane: words}, stores = {…}}. A level begins
-- with the first load after a store.
local function levels_of(experiment)
  local levels, last = {}, 'load'
  for _, request in ipairs(data.requests(experiment, {space = 'shared',
                                                      warp = 0, launch = 1})) do
    if request.operation == 'load' and last == 'store' then
      levels[#levels + 1] = {loads = {}, stores = {}}
    end
    last = request.operation
    local level = levels[#levels]
    if level then
      local of = level[request.operation .. 's']
      for _, row in ipairs(request.lanes) do
        of[row.lane] = of[row.lane] or {}
        table.insert(of[row.lane], row.address // 4 % block)
      end
    end
  end
  return levels
end

-- Plays a level: new values, the edges {from, to}, and how many additions.
local function play(level, values)
  local after, edges, adds = table.move(values, 1, n, 1, {}), {}, 0
  for lane, stores in pairs(level.stores) do
    local loads = level.loads[lane] or {}
    local inside = true
    for _, word in ipairs(loads) do inside = inside and word < n end
    for _, word in ipairs(stores) do inside = inside and word < n end
    if inside and #loads > 0 then
      local sum = 0
      for _, word in ipairs(loads) do sum = sum + values[word + 1] end
      if #loads > 1 then adds = adds + 1 end
      local right = math.max(table.unpack(stores))
      for _, word in ipairs(stores) do
        if #stores == 2 and word ~= right then
          after[word + 1] = values[right + 1]   -- the left child: what is before
          edges[#edges + 1] = {right, word}
        else
          after[word + 1] = sum
          for _, from in ipairs(loads) do
            if from ~= word then edges[#edges + 1] = {from, word} end
          end
        end
      end
    end
  end
  table.sort(edges, function(a, b)
    return a[2] < b[2] or a[2] == b[2] and a[1] < b[1]
  end)
  return after, edges, adds
end

local places = d:columns(2, 30)
local cell, high, step
local function row_of(x, y, values, changed, role)
  for i = 1, n do
    local on = changed == true or changed and changed[i - 1]
    d:rect(x + (i - 1) * cell, y, cell - 2, high,
           {fill = on and role or 'lane_off', tint = on and 0.5 or 0.4})
    d:fit(x + (i - 1) * cell - 1, y, cell, high, tostring(values[i]),
          {size = 'tiny', role = not on and 'muted' or nil})
  end
end
local function edges_between(x, y, edges)
  for _, edge in ipairs(edges) do
    d:line(x + edge[1] * cell + cell / 2 - 1, y + high,
           x + edge[2] * cell + cell / 2 - 1, y + step, {line = 'muted'})
  end
end
local function changes(edges)
  local set = {}
  for _, edge in ipairs(edges) do set[edge[2]] = true end
  return set
end

-- ---- Hillis and Steele.
local x, y = places[1].x, 2
cell, high, step = places[1].w / n, 17, d:choose(42, 38)
local steele_adds, values = 0, input
local title_y = y
y = y + 40
row_of(x, y, values, true, 'lane')
for k = 1, 4 do
  local after, edges, adds = play(
    levels_of('scan/hillis_steele_access')[k], values)
  edges_between(x, y, edges)
  y = y + step
  row_of(x, y, after, changes(edges), 'result')
  values, steele_adds = after, steele_adds + adds
end
local sum = 0
for i = 1, n do
  sum = sum + input[i]
  if values[i] ~= sum then error('the first kernel does not scan') end
end
d:text(x, title_y + 9, 'Hillis and Steele')
d:text(x, title_y + 26, {'4 steps, %d additions', steele_adds},
       {size = 'small', role = 'muted'})
local bottom = y + high

-- ---- Blelloch: up, then down.
x, y = places[2].x, d:choose(2, bottom + 18)
step = d:choose(36, 32)
title_y = y
y = y + 40
local levels, blelloch_adds = levels_of('scan/blelloch_access'), 0
values = input
row_of(x, y, values, true, 'lane')
for k = 1, 4 do
  local after, edges, adds = play(levels[k], values)
  edges_between(x, y, edges)
  y = y + step
  row_of(x, y, after, changes(edges), 'result')
  values, blelloch_adds = after, blelloch_adds + adds
end
d:text(x + d:choose(0, 0), y + high + 11,
       'the sum of all becomes 0, and the way down begins',
       {size = 'tiny', role = 'muted'})
y = y + high + 22
values = table.move(values, 1, n, 1, {})
values[n] = 0
row_of(x, y, values, {[n - 1] = true}, 'partial')
-- The last four levels with two stores per lane are the way down.
local down = {}
for _, level in ipairs(levels) do
  for _, stores in pairs(level.stores) do
    if #stores == 2 then down[#down + 1] = level break end
  end
end
for k = #down - 3, #down do
  local after, edges, adds = play(down[k], values)
  edges_between(x, y, edges)
  y = y + step
  row_of(x, y, after, changes(edges), 'partial')
  values, blelloch_adds = after, blelloch_adds + adds
end
sum = 0
for i = 1, n do
  if values[i] ~= sum then error('the second kernel does not scan') end
  sum = sum + input[i]
end
d:text(x, title_y + 9, 'Blelloch')
d:text(x, title_y + 26, {'8 steps, %d additions', blelloch_adds},
       {size = 'small', role = 'muted'})
d:alt(('Two drawings of 16 numbers that change row by row, with lines from ' ..
  'the numbers that are added. Hillis and Steele: 4 rows, each adds what is ' ..
  '1, 2, 4 and 8 places to the left, %d additions. Blelloch: 4 rows up a tree ' ..
  'and 4 down it, %d additions.'):format(steele_adds, blelloch_adds))
