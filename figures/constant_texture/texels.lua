-- title: The weights of a point between four texels, and texels beyond the edges
-- data: bench/constant_texture/modes.reference.csv
local results = data.csv('constant_texture/modes')
local n = 4    -- texels of the recorded image; it reaches from 0 to 1

-- The sample that is nearest to a coordinate.
local function at(mode, coordinate)
  local best
  for _, row in ipairs(results:select{version = mode}) do
    if not best or math.abs(row.coordinate - coordinate) <
                   math.abs(best.coordinate - coordinate) then
      best = row
    end
  end
  return best
end
local function texel(mode, i) return at(mode, (i + 0.5) / n) end

-- The weight of the right neighbour in a value that was fetched between the
-- centres of texels i and i + 1.
local function weight(i, share)
  local sample = at('clamp', (i + 0.5 + share) / n)
  local left, right = texel('clamp', i).point, texel('clamp', i + 1).point
  return (sample.linear - left) / (right - left)
end

local places = d:columns(2, 40)
local size = d:choose('small', 'tiny')

-- ---- Four texels and a point. The weights of both directions are those of
-- fetches; a texel's weight is their product.
local place, y = places[1], 2
local across, down = weight(1, 0.3), weight(0, 0.6)
d:text(place.x, y + 9, 'between texels: four of them, weighted')
local side = d:choose(150, 130)
local x, top = place.x + (place.w - side) / 2, y + 62
local px, py = x + across * side, top + down * side
local texels = {{0, 0, 'warp_0'}, {1, 0, 'warp_1'}, {0, 1, 'warp_2'},
                {1, 1, 'warp_3'}}
for _, t in ipairs(texels) do
  -- The rectangle opposite of the texel, whose area is the weight.
  local left, wide = x, across * side
  if t[1] == 0 then left, wide = px, (1 - across) * side end
  local above, high = top, down * side
  if t[2] == 0 then above, high = py, (1 - down) * side end
  d:rect(left + 1, above + 1, wide - 2, high - 2, {fill = t[3], tint = 0.4})
end
for _, t in ipairs(texels) do
  local cx, cy = x + t[1] * side, top + t[2] * side
  d:circle(cx, cy, 7, {fill = t[3]})
  local share = (t[1] == 0 and 1 - across or across) *
                (t[2] == 0 and 1 - down or down)
  d:text(cx + (t[1] == 0 and -13 or 13), cy, {'%.2f', share},
         {size = size, align = t[1] == 0 and 'right' or 'left', role = t[3]})
end
d:circle(px, py, 4, {fill = 'ink'})
d:text(x + side / 2, top - 22, {'%.2f of the way', across},
       {size = size, align = 'middle', role = 'muted'})
d:arrow({x, top - 9, px, top - 9}, {line = 'muted'})
local below = d:paragraph(place.x, top + side + 16, place.w,
  'A texel weighs as much as the area opposite it has. The nearer the point, ' ..
  'the larger that area.', {size = size, role = 'muted'})

-- ---- Beyond the edges.
place = places[2]
y = d.narrow and below + 18 or 2
d:text(place.x, y + 9, 'beyond the edges: by addressing mode')
local cells = 3 * n
local cell = math.min(place.w / cells, 30)
local edge = place.x + n * cell
local high = d:choose(26, 22)
y = y + 26
local first_row, said = y, {}
for _, mode in ipairs {'clamp', 'border', 'wrap', 'mirror'} do
  d:text(place.x, y + 8, mode, {size = size})
  y = y + 18
  local values = {}
  for i = -n, 2 * n - 1 do
    local value = texel(mode, i).point
    local inside = i >= 0 and i < n
    values[#values + 1] = ('%g'):format(value)
    d:rect(edge + i * cell, y, cell - 1.5, high - 1.5,
           {fill = 'lane', tint = value == 0 and 0.05 or
                                  (inside and 0.15 or 0.07) * value})
    d:fit(edge + i * cell, y, cell - 1.5, high - 1.5, {'%g', value},
          {size = size})
  end
  d:rect(edge - 1, y - 1.5, n * cell + 0.5, high + 1.5,
         {line = 'ink', weight = 1.5})
  said[#said + 1] = mode .. ': ' .. table.concat(values, ' ')
  y = y + high + 12
end
d:text(edge + n * cell / 2, y - 2, 'the image',
       {size = size, align = 'middle', role = 'muted'})
d:alt(('Left: a point between the centres of four texels. Lines through the ' ..
  'point divide the square between them into four rectangles, and each texel ' ..
  'has the colour and the weight of the rectangle opposite it: %.2f of the ' ..
  'way across and %.2f down. Right: four rows of twelve texels, of which the ' ..
  'middle four are the image. %s.'):format(across, down,
  table.concat(said, '; ')))
