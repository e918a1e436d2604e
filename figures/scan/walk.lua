-- title: When the first tiles of a scan know their own sum and all before it
-- data: bench/scan/walk.reference.csv
local n = 64        -- tiles that are drawn
local cases = {
  {'chained', 'the chain', 1},
  {'one_looks_back', 'one thread looks back', 8},
  {'warp_looks_back', 'a warp looks back', 8},
}
local results = data.csv('scan/walk')
local of, last = {}, 0
for k, case in ipairs(cases) do
  of[k] = {}
  for tile = 0, n - 1 do
    of[k][tile] = results:one{version = case[1], tile = tile}
    last = math.max(last, of[k][tile].known_us)
  end
end
last = math.ceil(last)

local places, below, said = d:columns(3, 26), 2, {}
local size = d:choose('small', 'tiny')
for k, case in ipairs(cases) do
  local place, high = places[k], d:choose(4, 2.4)
  local y = d.narrow and below or 2
  local walks, all = of[k], 0
  for tile = 0, n - 1 do all = math.max(all, walks[tile].known_us) end
  y = d:heading(place.x, y, place.w, case[2], {'%.1f µs', all}) + 4
  local left, w = place.x + 22, place.w - 22
  local function x_of(us) return left + math.min(us, last) / last * w end
  local function states(style, from, to)
    for tile = 0, n - 1 do
      local x = from(walks[tile])
      d:rect(x, y + tile * high, to(walks[tile]) - x, high - 0.2, style)
    end
  end
  local function told(walk) return x_of(walk.told_us) end
  local function known(walk) return x_of(walk.known_us) end
  states({fill = 'cell'}, function() return left end, told)
  states({fill = 'partial', tint = 0.45}, told, known)
  states({fill = 'result', tint = 0.4}, known, function() return left + w end)
  -- How far some of them looked, at the moment when they knew.
  for tile = case[3] * 4 - 1, n - 1, case[3] == 1 and 4 or 8 do
    local walk = walks[tile]
    local x = x_of(walk.known_us)
    local from, to = y + (tile + 0.5) * high, y + (walk.farthest + 0.5) * high
    d:arrow({x, from, x, to}, {line = 'ink', weight = 0.9,
                               head = math.min(4, (from - to) * 0.8)})
  end
  for _, tile in ipairs{0, n // 2 - 1, n - 1} do
    d:text(left - 5, y + (tile + 0.5) * high, {'%d', tile},
           {size = 'tiny', align = 'right', role = 'muted'})
  end
  y = y + n * high + 3
  local under = d:axis(left, y, x_of(last - last % 5) - left, 0,
                       last - last % 5, 5,
                       (k == #cases or d.narrow) and 'time in µs' or nil)
  below = math.max(d.narrow and 0 or below, under)
  said[k] = ('%s: the tile with number %d knows all before it after %.1f µs')
    :format(case[2], n - 1, walks[n - 1].known_us)
end
below = d:legend(d.left, below + 4, d.width - 2 * d.left, {
  {{fill = 'cell'}, 'tile knows nothing'},
  {{fill = 'partial', tint = 0.45}, 'its own sum'},
  {{fill = 'result', tint = 0.4}, 'all sums before it'}}, size)
d:text(d.left + 2, below + 6, d:choose(
  'An arrow leads from a tile to the farthest tile whose sum it added itself.',
  'Arrows lead to the farthest tile that a tile asked.'),
  {size = size, role = 'muted'})
d:alt(('Three panels with a row for each of the first %d tiles and time to the ' ..
  'right. Every row turns from grey to purple when the tile knows its own sum, ' ..
  'and to green when it knows all before it. %s. In the chain the green begins ' ..
  'along a straight slope, one tile after the other; where tiles look back, it ' ..
  'begins almost at the same time for all, and arrows reach over many tiles.')
  :format(n, table.concat(said, '; ')))
