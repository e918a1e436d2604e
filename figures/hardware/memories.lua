-- title: Where a value can be: how much there is, how far away, how fast
-- data: bench/hardware/query.reference.csv
-- data: bench/hardware/copies.reference.csv
-- data: bench/roofline/ceilings.reference.csv
-- data: bench/occupancy/latency.reference.csv
local function asked(name)
  return data.csv('hardware/query'):one{device = 0, name = name}.value
end
local function cycles(wanted)
  return data.csv('occupancy/latency'):one(wanted).latency_cycles
end
local function rate(version)
  return data.csv('roofline/ceilings'):one{version = version}.gb_per_s
end
local MiB = 1024 * 1024
local n_sm = asked('multiProcessorCount')
local memory = asked('totalGlobalMem') / MiB
local places = {
  {'registers', 'register', n_sm * 4 * asked('regsPerMultiprocessor') / MiB},
  {'shared memory', 'shared', n_sm * asked('sharedMemPerMultiprocessor') / MiB,
   cycles{what = 'shared'}, rate('shared_read')},
  {'L2', 'cache', asked('l2CacheSize') / MiB,
   cycles{what = 'global', n_bytes = 4194304}, rate('l2_read')},
  {'memory', 'memory', memory, cycles{what = 'global', n_bytes = 268435456},
   rate('memory_copy')},
  {'the host’s, over the bus', 'cpu', nil, nil,
   data.csv('hardware/copies'):one{version = 'to_device'}.gb_per_s}}

local label = d:choose(150, 0)
local x = d.left + label
local each = (d.width - d.left - x - d:choose(2 * 20, 0)) / d:choose(3, 1)
local heads = {'How much? All SMs together', 'How far? Cycles to a value',
               'How fast? TB/s, all SMs'}
local y = 2
local function column(k, top)
  return d:choose(x + (k - 1) * (each + 20), x), top
end
local row_h = 32
-- most: what fills a column; longer bars are cut, with a tear.
local most = {asked('l2CacheSize') / MiB * 1.25, places[4][4], places[2][5] / 1000}
local function value(k, place)
  local v = place[k + 2]
  if not v then return nil end
  if k == 3 then v = v / 1000 end
  return v
end
local function said(k, v)
  if k == 1 then
    if v >= 1024 then return {'%s GiB', number(v / 1024)} end
    return {'%s MiB', number(v, 2)}
  end
  if k == 2 then return {'%.0f', v} end
  return {'%s', number(v, 2)}
end
local function bar(k, place, left, top)
  local v = value(k, place)
  if not v then
    d:text(left, top + 10, k == 1 and '' or '–', {size = 'small', role = 'muted'})
    return
  end
  local room = each - 62
  local torn = v > most[k]
  local long = math.max(torn and room or v / most[k] * room, 0.8)
  d:rect(left, top, long, 20, {fill = place[2], tint = 0.55})
  if torn then
    for i = 0, 1 do
      d:path({left + long - 22 + 6 * i, top + 22, left + long - 14 + 6 * i, top - 2},
             {line = 'paper', weight = 3})
    end
  end
  d:text(left + long + 6, top + 10, said(k, v), {size = 'small'})
end
if d.narrow then
  for k = 1, 3 do
    d:text(d.left, y + 9, heads[k])
    y = y + 22
    for _, place in ipairs(places) do
      if value(k, place) then
        d:text(d.left, y + 7, place[1], {size = 'small', role = 'muted'})
        bar(k, place, d.left, y + 16)
        y = y + 42
      end
    end
    y = y + 6
  end
else
  for k = 1, 3 do
    local left = column(k)
    d:text(left, y + 9, heads[k], {size = 'small', role = 'muted'})
  end
  y = y + 24
  for _, place in ipairs(places) do
    d:text(x - 12, y + 10, place[1], {align = 'right', size = 'small'})
    for k = 1, 3 do bar(k, place, (column(k)), y) end
    y = y + row_h
  end
end
d:alt(('Five places with up to three bars each: size, latency and bandwidth. '
  .. 'Registers, shared memory and L2 have sizes that can be drawn to one scale, '
  .. '%.0f, %.0f and %.0f MiB; the memory of %.0f GiB is cut off. Latency grows '
  .. 'from %.0f to %.0f cycles while bandwidth shrinks from %.0f to %.1f TB/s, '
  .. 'and over the bus it is a hairline.')
  :format(places[1][3], places[2][3], places[3][3], memory / 1024, places[2][4],
          places[4][4], places[2][5] / 1000, places[4][5] / 1000))
