-- title: Block, warp and lane in one tile of a matrix product
-- data: bench/matmul/warp_tile_access.software.csv
-- Who stored each element of c: pieces of 4 × 4, by their row and column.
local side, chosen = 128, 5
local owner, n_pieces = {}, side // 4
for _, store in ipairs(data.requests('matmul/warp_tile_access',
                                     {space = 'global', operation = 'store'})) do
  for _, row in ipairs(store.lanes) do
    local element = row.address // 4
    local r, c = element // side // 4, element % side // 4
    local key = r * n_pieces + c
    local is = {warp = row.warp, lane = row.lane}
    if owner[key] and (owner[key].warp ~= is.warp or
                       owner[key].lane ~= is.lane) then
      error('a piece of 4 × 4 has several owners')
    end
    owner[key] = is
  end
end

-- A warp's rectangle of pieces, and a lane's rows and columns.
local boxes, rows, columns, n_rows, n_columns = {}, {}, {}, 0, 0
for r = 0, n_pieces - 1 do
  for c = 0, n_pieces - 1 do
    local is = owner[r * n_pieces + c]
    if not is then error('nobody stores a piece') end
    local box = boxes[is.warp] or {r, c, r, c}
    boxes[is.warp] = {math.min(box[1], r), math.min(box[2], c),
                      math.max(box[3], r), math.max(box[4], c)}
    if is.warp == 0 and is.lane == chosen then
      if not rows[r] then n_rows = n_rows + 4 end
      if not columns[c] then n_columns = n_columns + 4 end
      rows[r], columns[c] = true, true
    end
  end
end

local cell = d:choose(9, 8)
local size, slice = n_pieces * cell, 8 / 4 * cell
local x, y = d.left + slice + 22, 2 + 18 + slice + 8
d:text(x + size / 2, 11, d:choose('slice of b', 'slice of b'),
       {size = 'small', align = 'middle', role = 'muted'})
d:text(x - slice - 14, y + size / 2, 'slice of a',
       {size = 'small', align = 'middle', turn = true, role = 'muted'})
d:rect(x - slice - 6, y, slice, size, {fill = 'cell'})
d:rect(x, y - slice - 6, size, slice, {fill = 'cell'})
for k = 0, n_pieces - 1 do
  if rows[k] then
    d:rect(x - slice - 6, y + k * cell, slice, cell, {fill = 'emphasis'})
  end
  if columns[k] then
    d:rect(x + k * cell, y - slice - 6, cell, slice, {fill = 'emphasis'})
  end
end
local tints = {[0] = 0.42, 0.22, 0.22, 0.42, 0.42, 0.22, 0.22, 0.42}
for warp = 0, #boxes do
  local box = boxes[warp]
  local bx, by = x + box[2] * cell, y + box[1] * cell
  local bw, bh = (box[4] - box[2] + 1) * cell, (box[3] - box[1] + 1) * cell
  d:rect(bx, by, bw - 1, bh - 1, {fill = 'gpu', tint = tints[warp % 8]})
  d:fit(bx, by, bw, bh, 'warp ' .. warp, {size = 'small'})
end
for r = 0, n_pieces - 1 do
  for c = 0, n_pieces - 1 do
    local is = owner[r * n_pieces + c]
    if is.warp == 0 and is.lane == chosen then
      d:rect(x + c * cell, y + r * cell, cell, cell,
             {fill = 'emphasis', lane = chosen})
    end
  end
end
d:brace(x, x + size, y + size + 4,
        'one block: a tile of ' .. side .. ' × ' .. side .. ' of c',
        {below = true})

-- Warp 0, enlarged.
local zoom = boxes[0]
local across, down = zoom[4] - zoom[2] + 1, zoom[3] - zoom[1] + 1
local zx = d:choose(x + size + 44, d.left)
local zy = d:choose(y, y + size + 58)
local piece = (d.width - d.left - zx) / across
d:text(zx, zy - d:choose(12, 12), {'warp 0: %d × %d elements', 4 * down, 4 * across})
d:cells(zx, zy, down, across, piece, d:choose(20, 18), function(r, c)
  local is = owner[(r + zoom[1]) * n_pieces + c + zoom[2]]
  local on = is.lane == chosen
  return {fill = on and 'emphasis' or 'gpu', tint = not on and 0.42 or nil,
          label = tostring(is.lane), role = on and 'paper' or nil,
          lane = is.lane, size = 'tiny'}
end)
local ty = zy + down * d:choose(20, 18) + 8
ty = d:paragraph(zx, ty, d.width - d.left - zx,
  'Each number is the lane that owns a piece of 4 × 4 elements.',
  {size = 'small', role = 'muted'})
d:paragraph(zx, ty + 8, d.width - d.left - zx,
  ('Lane %d owns %d × %d elements. In every step of k it reads %d values of ' ..
   'a and %d of b, and adds up their %d products.'):format(chosen, n_rows,
   n_columns, n_rows, n_columns, n_rows * n_columns), {size = 'small'})
d:alt(('A square tile of c, %d elements wide, divided among %d warps, with a ' ..
  'slice of a at its left and of b above it. Beside it the part of warp 0, ' ..
  'with the lane of every 4 by 4 piece; lane %d is marked in the tile, and so ' ..
  'are the %d rows of a and %d columns of b that it needs.')
  :format(side, #boxes + 1, chosen, n_rows, n_columns))
