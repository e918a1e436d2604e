-- title: Whose number each lane gets from a shuffle, and a sum by five exchanges
-- data: bench/warps/moves.reference.csv
local moves = data.csv('warps/moves')
local n = 32
local names = {
  {'index', '__shfl_sync(…, x, %d)'}, {'up', '__shfl_up_sync(…, x, %d)'},
  {'down', '__shfl_down_sync(…, x, %d)'}, {'xor', '__shfl_xor_sync(…, x, %d)'},
}
local size = d:choose('small', 'tiny')
local places, said = d:columns(2, 28), {}
local step = d:choose(34, 28)

-- A row of lanes; `look` as in d:lanes, small.
local function row(x, y, w, look)
  d:cells(x, y, 1, n, w / n, 7, function(_, lane)
    local style = look(lane) or {fill = 'lane_off'}
    style.lane = lane
    return style
  end, 1)
end
local function line(x, y, w, from, to, style)
  d:line(x + (from + 0.45) * w / n, y + 7, x + (to + 0.45) * w / n, y + step,
         style)
end

local y, below = 2, 2
for k, name in ipairs(names) do
  local place = places[(k - 1) % 2 + 1]
  if d.narrow or k == 3 then y = below end
  local of = moves:select{version = name[1]}
  d:text(place.x, y + 8, {name[2], of[1].argument}, {size = size})
  local top, n_own = y + 18, 0
  local gives, own = {}, {}
  for _, move in ipairs(of) do
    gives[move.from] = true
    if move.from == move.lane then own[move.lane] = true end
  end
  row(place.x, top, place.w, function(lane)
    return gives[lane] and {fill = 'lane', tint = 0.6} or nil
  end)
  for _, move in ipairs(of) do
    local keeps = own[move.lane] and name[1] ~= 'index'
    if keeps then n_own = n_own + 1 end
    line(place.x, top, place.w, move.from, move.lane,
         {line = keeps and 'lane_out' or 'lane', weight = 0.9})
  end
  row(place.x, top + step, place.w, function(lane)
    return {fill = own[lane] and name[1] ~= 'index' and 'lane_out' or 'lane',
            tint = 0.6}
  end)
  below = math.max(below, top + step + 22)
  said[k] = ('%s by %d%s'):format(name[1], of[1].argument, n_own == 0 and '' or
    (', where %d lanes keep their own number'):format(n_own))
end

-- ---- A sum: which lanes are in the sum of one of them.
y = d:legend(d.left, below - 4, d.width - 2 * d.left, {
  {{fill = 'lane', tint = 0.6}, d:choose('gives or gets a number',
                                         'gives or gets')},
  {{fill = 'lane_out', tint = 0.6}, d:choose(
    'no lane there: keeps its own', 'keeps its own')}}, size) + 14
local followed = 11
local w = d.width - 2 * d.left - d:choose(96, 62)
local x = d.left + d:choose(96, 62)
d:text(d.left, y + 8, {d:choose(
  'a sum by five exchanges: whose numbers lane %d has added up',
  'a sum: what lane %d has added up'), followed}, {size = size})
y = y + 24
local holds, exchanges = 1 << followed, {}
for _, move in ipairs(moves:select{version = 'sum'}) do
  local last = exchanges[#exchanges]
  if not last or last.distance ~= move.argument then
    last = {distance = move.argument, from = {}, holds = {}}
    exchanges[#exchanges + 1] = last
  end
  last.from[move.lane], last.holds[move.lane] = move.from, move.holds
end
local function held(bits)
  local count = 0
  for lane = 0, n - 1 do count = count + (bits >> lane & 1) end
  return count
end
-- Which lanes' sums go into that of the followed one, from the last exchange
-- upwards.
local wanted = {[#exchanges] = {[followed] = true}}
for k = #exchanges, 1, -1 do
  wanted[k - 1] = {}
  for lane in pairs(wanted[k]) do
    wanted[k - 1][lane] = true
    wanted[k - 1][exchanges[k].from[lane]] = true
  end
end
local counts = {}
for k = 0, #exchanges do
  local exchange = exchanges[k]
  d:text(x - 8, y + 3, k == 0 and d:choose('own numbers', 'own') or
    {d:choose('exchanged by %d', 'by %d'), exchange.distance},
    {size = 'tiny', align = 'right', role = 'muted'})
  row(x, y, w, function(lane)
    return wanted[k][lane] and {fill = k == #exchanges and 'result' or 'lane',
                                tint = 0.7} or nil
  end)
  counts[#counts + 1] = tostring(k == 0 and 1 or held(exchange.holds[followed]))
  if k < #exchanges then
    local next = exchanges[k + 1]
    for lane = 0, n - 1 do
      if wanted[k + 1][lane] then
        line(x, y, w, lane, lane, {line = 'lane', weight = 0.9})
        line(x, y, w, next.from[lane], lane, {line = 'lane', weight = 0.9})
      end
    end
    y = y + step
  end
end
d:text(x + (followed + 0.45) * w / n, y + 17, {'%d numbers',
       held(exchanges[#exchanges].holds[followed])},
       {size = size, align = 'middle', role = 'result'})
d:alt(('Four pairs of rows with the 32 lanes of a warp and lines from the lane ' ..
  'that gives a number to those that get it: %s. Below, six rows of lanes and ' ..
  'five exchanges: the sum of lane %d holds %s numbers.'):format(
  table.concat(said, '; '), followed, table.concat(counts, ', ')))
