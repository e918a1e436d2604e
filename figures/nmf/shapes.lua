-- title: The two factors, and what one tile of pictures needs of them
-- data: bench/nmf/counts.software.csv
local row = data.software('nmf/counts'):select{version = 'once'}[1]
local k = row.n_parts
local thin = d:choose(34, 26)                 -- w is thin, h is flat
local wide, high = d:choose(270, 190), d:choose(150, 110)
local at, stripe = d:choose(0.42, 0.42), d:choose(26, 22)
local top = 26

local function matrix(x, y, w, h, name, said, style)
  d:rect(x, y, w, h, style)
  d:text(x + w / 2, y - 12, name, {size = 'text', align = 'middle'})
  d:text(x + w / 2, y + h + 12, said,
         {size = 'tiny', align = 'middle', role = 'muted'})
end

local pale = {fill = 'cell', tint = 0.5, line = 'grid'}
local v_x = d.left + d:choose(4, 60)
matrix(v_x, top, wide, high, 'V', 'a column for each picture', pale)
d:rect(v_x + at * wide, top, stripe, high,
       {fill = 'load', tint = 0.6, line = 'load'})
local w_x, w_y, h_x, h_y
if d.narrow then
  w_x, w_y = d.left + 40, top + high + 62
  h_x, h_y = w_x + thin + 34, w_y + 40
  d:text(d.left + 14, w_y + high / 2, '≈', {align = 'middle'})
else
  w_x, w_y = v_x + wide + 46, top
  h_x, h_y = w_x + thin + 46, top + high / 2 - thin / 2
  d:text(v_x + wide + 23, top + high / 2, '≈', {align = 'middle'})
end
matrix(w_x, w_y, thin, high, 'W', d:choose({'%d parts', k}, {'%d', k}),
       {fill = 'shared', tint = 0.6, line = 'shared'})
d:text((w_x + thin + h_x) / 2, h_y + thin / 2, '·', {align = 'middle'})
matrix(h_x, h_y, wide, thin, 'H', {'%d weights for each picture', k}, pale)
d:rect(h_x + at * wide, h_y, stripe, thin,
       {fill = 'load', tint = 0.6, line = 'load'})
local y = math.max(top + high, w_y + high) + 26
local w = d.width - 2 * d.left
for _, said in ipairs{
  'a tile: some pictures with their weights, read once, in shared memory',
  'the parts: in every block’s shared memory for the whole kernel'} do
  local role = said:find('tile') and 'load' or 'shared'
  d:rect(d.left, y + 2, 12, 12, {fill = role, tint = 0.6})
  y = d:paragraph(d.left + 20, y, w - 20, said, {size = 'small'}) or y
  y = y + 4
end
d.height = y + 4
d:alt(('A wide matrix V is about a thin matrix W with %d columns times a flat ' ..
  'matrix H with %d rows. A stripe of V and the stripe of H below the same ' ..
  'columns are marked as a tile; all of W is marked as kept on the chip.')
  :format(k, k))
