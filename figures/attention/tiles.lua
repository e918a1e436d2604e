-- title: Which tiles of the scores a block computes, and which no block does
-- data: bench/attention/hopper_ladder.reference.csv
local ladder = data.csv('attention/hopper_ladder')
local share = ladder:one{version = 'held', causal = 1}.time_us /
  ladder:one{version = 'held', causal = 0}.time_us
local n = 8
local places = d:columns(2)
local bottom = 0
local function panel(place, title, causal)
  local x, y = place.x, (d.narrow and causal and bottom + 28 or 0) + 12
  d:text(x, y, title)
  local left, high = 46, 30
  local cell = math.min(30, (place.w - left) / n)
  local gx, gy = x + left, y + 40
  d:text(gx + n * cell / 2, gy - 14, 'K and V: keys',
         {size = 'small', align = 'middle', role = 'muted'})
  d:text(x + 18, gy + n * cell / 2, 'Q: rows',
         {size = 'small', align = 'middle', role = 'muted', turn = true})
  local block = 5
  d:cells(gx, gy, n, n, cell, cell, function(row, column)
    local hidden = causal and column > row
    if hidden then return {fill = 'cell', tint = 0.3} end
    if row == block then
      if causal and column == row then return {fill = 'emphasis', tint = 0.7} end
      return {fill = 'result', tint = 0.7}
    end
    return {fill = 'result', tint = 0.15}
  end)
  d:rect(gx - 2, gy + block * cell - 2, n * cell + 4, cell + 4,
         {line = 'ink', weight = 1.5})
  local from = causal and block + 1 or n
  d:arrow({gx + from * cell - 4, gy + (block + 0.5) * cell, gx + 6,
           gy + (block + 0.5) * cell}, {line = 'ink', weight = 1.5})
  bottom = math.max(bottom, gy + n * cell)
  return gx
end
local x = panel(places[1], 'not causal', false)
panel(places[2], {'causal: %.0f %% of the time', 100 * share}, true)
local y = bottom + 24
local after = d:legend(d.left, y, d.width - 2 * d.left, {
  {{fill = 'result', tint = 0.7}, 'tiles of one block'},
  {{fill = 'emphasis', tint = 0.7}, 'partly masked'},
  {{fill = 'result', tint = 0.15}, 'tiles of the other blocks'},
  {{fill = 'cell', tint = 0.3}, 'never computed'},
})
d.height = after + 8
d:alt('Two square grids of eight by eight tiles, rows for blocks of Q and ' ..
  'columns for tiles of K and V. In both, one row of tiles belongs to one ' ..
  'block, and an arrow runs through it from the last tile to the first. In ' ..
  'the causal grid, tiles to the right of the diagonal are never computed, ' ..
  'and the tile on the diagonal is partly masked.')
