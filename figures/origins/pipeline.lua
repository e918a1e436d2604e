-- title: The steps of the graphics pipeline, and what carried out each of them
-- data: bench/origins/pipeline.cited.csv
-- The triangle is rasterized here: a pixel whose middle is inside is covered.
local steps = {
  {'vertices', 'vertices'},
  {'primitives', 'primitives'},
  {'rasterization', 'raster'},
  {'fragments', 'fragments'},
  {'framebuffer', 'buffer'},
}
local looks = {
  cpu = {fill = 'cpu', tint = 0.45},
  circuit = {fill = 'muted', tint = 0.3},
  program = {fill = 'gpu', tint = 0.75},
}
local says = {cpu = 'on the CPU', circuit = 'by a fixed circuit',
              program = 'by a program on the GPU'}
local eras = data.csv('origins/pipeline', 'cited').rows

local label = d:choose(112, 0)
local x, gap = d.left + label, d:choose(14, 6)
local w = (d.width - d.left - x - 4 * gap) / 5
local function column(i) return x + (i - 1) * (w + gap) end

-- The picture above each column: 14 × 10 pixels, one triangle, and in the last
-- one a rectangle that is nearer and hides a part of it.
local across, down = 14, 10
local cell = math.min(w / across, 7)
local corners = {{1.5, 8.8}, {6.2, 0.9}, {12.6, 6.6}}
local function side(a, b, px, py)
  return (b[1] - a[1]) * (py - a[2]) - (b[2] - a[2]) * (px - a[1])
end
local area = side(corners[1], corners[2], corners[3][1], corners[3][2])
-- The three weights of the corners at the middle of a pixel; nil outside.
local function weights(c, r)
  local px, py = c + 0.5, r + 0.5
  local found = {}
  for k = 1, 3 do
    local a, b = corners[k % 3 + 1], corners[(k + 1) % 3 + 1]
    found[k] = side(a, b, px, py) / area
    if found[k] < 0 then return nil end
  end
  return found
end
local function hides(c, r) return c >= 8 and c < 13 and r >= 2 and r < 6 end
local function picture(i, px, py)
  local function at(p) return px + p[1] * cell, py + p[2] * cell end
  if i <= 2 then
    d:rect(px, py, across * cell, down * cell, {line = 'grid'})
    local path = {}
    for _, corner in ipairs(corners) do
      local cx, cy = at(corner)
      path[#path + 1], path[#path + 2] = cx, cy
    end
    if i == 2 then
      d:path(path, {line = 'ink', close = true, weight = 1.3})
    end
    for k = 1, 3 do
      d:circle(path[2 * k - 1], path[2 * k], 2.5, {fill = 'ink'})
    end
    return
  end
  d:cells(px, py, down, across, cell, cell, function(r, c)
    local inside = weights(c, r)
    if i == 5 and hides(c, r) then return {fill = 'emphasis', tint = 0.8} end
    if not inside then return {fill = 'lane_off'} end
    if i == 3 then return {fill = 'muted', tint = 0.6} end
    return {fill = 'gpu', tint = 0.2 + 0.8 * inside[2]}
  end, 0.7)
end

local y = 2
for i, step in ipairs(steps) do
  picture(i, column(i) + (w - across * cell) / 2, y)
  d:text(column(i) + w / 2, y + down * cell + 12, d:choose(step[1], step[2]),
         {size = d:choose('small', 'tiny'), align = 'middle'})
  if i < 5 and not d.narrow then
    d:arrow({column(i) + (w + across * cell) / 2 + 2, y + down * cell / 2,
             column(i + 1) + (w - across * cell) / 2 - 2, y + down * cell / 2},
            {line = 'muted'})
  end
end
y = y + down * cell + 30
local high = 24
for n, era in ipairs(eras) do
  local year = ('%d'):format(era.year)
  if d.narrow then
    d:text(x, y + 6, year .. ', ' .. era.card, {size = 'tiny', role = 'muted'})
    y = y + 16
  else
    d:text(d.left, y + 7, year, {size = 'small'})
    d:text(d.left, y + 20, era.card, {size = 'tiny', role = 'muted'})
  end
  for i, step in ipairs(steps) do
    local look = looks[era[step[1]]]
    d:rect(column(i), y, w, high, {fill = look.fill, tint = look.tint, radius = 3})
  end
  y = y + high
  if n == #eras then             -- the same units run all programs
    local a, b = column(1) + w / 2, column(4) + w / 2
    d:path({a, y, a, y + 9, b, y + 9, b, y}, {line = 'gpu', weight = 1.5})
    d:text((a + b) / 2, y + 19, d:choose(
      'one kind of processor runs these and, with CUDA, any other program',
      'the same processors, and CUDA'),
      {size = 'tiny', align = 'middle', role = 'muted'})
    y = y + 24
  end
  y = y + 8
end
d:legend(d.left, y + 8, d.width - 2 * d.left, {
  {looks.cpu, says.cpu}, {looks.circuit, says.circuit},
  {looks.program, says.program}})
local rows = {}
for _, era in ipairs(eras) do
  local parts = {}
  for i, step in ipairs(steps) do
    parts[i] = step[1] .. ' ' .. says[era[step[1]]]
  end
  rows[#rows + 1] = ('%d, %s: %s'):format(era.year, era.card,
                                          table.concat(parts, ', '))
end
d:alt('Five pictures of one triangle: its corners, its outline, the pixels that '
  .. 'it covers, these pixels in colours that change from corner to corner, and '
  .. 'the same with a nearer rectangle that hides a part. Below, one row for each generation: '
  .. table.concat(rows, '; ') .. '. In the last row, a line joins the programs.')
