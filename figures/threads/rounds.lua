-- title: Which elements the lanes of a warp take, round after round, in two loops
-- data: bench/threads/grid_stride_access.software.csv
-- data: bench/threads/pieces_access.software.csv
local n = 32
-- The elements of the lanes by round. Each round loads two vectors; the first
-- load of a line counts.
local function rounds_of(experiment)
  local rounds, line = {}, nil
  local last
  for _, request in ipairs(data.requests('threads/' .. experiment .. '_access',
      {space = 'global', operation = 'load'})) do
    local of, first = {}, request.lanes[1].address // 4
    for _, row in ipairs(request.lanes) do of[row.lane] = row.address // 4 end
    if first ~= last then rounds[#rounds + 1] = of end
    last = first
  end
  return rounds
end
local stride, pieces = rounds_of('grid_stride'), rounds_of('pieces')
if #stride ~= #pieces then error('the loops have different numbers of rounds') end
local places = d:columns(2, 36)
local size, high = d:choose('small', 'tiny'), 11
local function shade(lane)
  return {fill = 'lane', tint = d.shade(lane), lane = lane}
end

-- ---- A stride of the whole grid: 32 neighbours, then far away.
local place = places[1]
local y = 2
d:text(place.x, y + 9, 'stride of the whole grid')
y = y + 26
local gutter = d:text_width('from 44800', 'tiny') + 10
local each = (place.w - gutter) / n
for r, of in ipairs(stride) do
  d:text(place.x + gutter - 8, y + high / 2, {r == 1 and 'from %d' or '%d',
         of[0]}, {size = 'tiny', align = 'right', role = 'muted'})
  local first = of[0]
  d:cells(place.x + gutter, y, 1, n, each, high, function(_, cell)
    for lane = 0, n - 1 do
      if of[lane] == first + cell then return shade(lane) end
    end
  end, 0.8)
  y = y + high + 3
end
local below = y

-- ---- Pieces: the lanes stay in theirs and are far from each other.
place = places[2]
y = d.narrow and below + 14 or 2
d:text(place.x, y + 9, 'contiguous pieces')
y = y + 26
local most = pieces[#pieces][n - 1] + 1
local w = place.w
for r, of in ipairs(pieces) do
  d:rect(place.x, y, w, high, {fill = 'lane_off', tint = 0.8})
  for lane = 0, n - 1 do
    d:rect(place.x + of[lane] * w / most, y, math.max(w / most, 1.1), high,
           shade(lane))
  end
  y = y + high + 3
end
d:text(place.x, y + 6, {'element %d', pieces[1][0]},
       {size = 'tiny', role = 'muted'})
d:text(place.x + w, y + 6, {'element %d', most - 1},
       {size = 'tiny', align = 'right', role = 'muted'})
below = math.max(below, y + 16)
d:legend(d.left, below + 4, d.width - 2 * d.left, {
  {shade(0), 'lane 0 …'}, {shade(n - 1), '… lane 31'}}, size)
d:alt(('Two panels with a row for each of %d rounds of the first warp. Left: in ' ..
  'each round the %d lanes have neighbouring elements, and the next round ' ..
  'begins %d elements further. Right: in each round the lanes have elements ' ..
  'that are %d apart, and the next round takes the element after each.'):format(
  #stride, n, stride[2][0] - stride[1][0], pieces[1][1] - pieces[1][0]))
