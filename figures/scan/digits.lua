-- title: A table of counts says where each tile's digits go
-- data: bench/scan/split_access.software.csv
local n_bits, n_tiles = 2, 2
local n_digits = 1 << n_bits

-- The lowest bits of the keys, from where the first passes put them: a pass
-- keeps the order on both sides.
local passes, pass_of = {}, {}
for _, request in ipairs(data.requests('scan/split_access',
    {space = 'global', operation = 'store'})) do
  for _, at in ipairs(request.lanes) do
    local pass = pass_of[at.launch]
    if not pass then
      pass = {}
      passes[#passes + 1] = pass
      pass_of[at.launch] = pass
    end
    pass[at.lane] = at.offset // 4
  end
end
local n = #passes[1] + 1
local digit, place_of = {}, {}
for i = 0, n - 1 do digit[i], place_of[i] = 0, i end
for k = 1, n_bits do
  local from, is_one, ones = {}, {}, false
  for i = 0, n - 1 do from[passes[k][i]] = i end
  for place = 0, n - 1 do
    ones = ones or place > 0 and from[place] < from[place - 1]
    is_one[from[place]] = ones
  end
  for i = 0, n - 1 do
    if is_one[place_of[i]] then digit[i] = digit[i] + (1 << (k - 1)) end
    place_of[i] = passes[k][place_of[i]]
  end
end

-- counts[digit][tile], and its exclusive scan.
local each = n // n_tiles
local pieces, start = {}, 0
for value = 0, n_digits - 1 do
  for tile = 0, n_tiles - 1 do
    local count = 0
    for i = tile * each, (tile + 1) * each - 1 do
      if digit[i] == value then
        place_of[i] = start + count
        count = count + 1
      end
    end
    pieces[#pieces + 1] = {digit = value, tile = tile, count = count,
                           start = start}
    start = start + count
  end
end

local side, apart = d:choose(64, 40), d:choose(24, 10)
local gap = d:choose(5, 2)
local w = (d.width - 2 * d.left - side - (n_tiles - 1) * apart) / n
local high, between = 20, d:choose(56, 44)
local size = d:choose('small', 'tiny')
local roles = {[0] = 'warp_0', 'warp_1', 'warp_2', 'warp_3'}
local function x_of(i) return d.left + side + i * w + i // each * apart end
-- Pieces stay apart from each other in the output.
local shift = (n_tiles - 1) * apart / (#pieces - 1)
local piece_of = {}
for k, piece in ipairs(pieces) do
  for j = 0, piece.count - 1 do piece_of[piece.start + j] = k - 1 end
end
local function out_x(place)
  return d.left + side + place * w + piece_of[place] * shift
end

local y = 20
d:text(d.left, y + high / 2, 'digits', {size = size})
for tile = 0, n_tiles - 1 do
  d:text(x_of(tile * each), y - 10, {'tile %d', tile},
         {size = size, role = 'muted'})
end
for i = 0, n - 1 do
  d:rect(x_of(i), y, w - gap, high, {fill = roles[digit[i]], tint = 0.45})
  d:fit(x_of(i), y, w - gap, high, ('%d'):format(digit[i]), {size = size})
end
y = y + high
for i = 0, n - 1 do
  d:curve(x_of(i) + (w - gap) / 2, y + 2,
          out_x(place_of[i]) + (w - gap) / 2, y + between - 2,
          {line = roles[digit[i]]})
end
y = y + between
d:text(d.left, y + high / 2, 'output', {size = size})
for i = 0, n - 1 do
  local x = out_x(place_of[i])
  d:rect(x, y, w - gap, high, {fill = roles[digit[i]], tint = 0.45})
  d:fit(x, y, w - gap, high, ('%d'):format(digit[i]), {size = size})
end
y = y + high + 12
local rows = {{'tile', 'tile'}, {'count', 'count'}, {'start', 'start'}}
for k, row in ipairs(rows) do
  d:text(d.left, y, row[1], {size = size, role = k == 1 and 'muted' or 'ink'})
  for _, piece in ipairs(pieces) do
    if piece.count > 0 then
      d:text(out_x(piece.start) + (w - gap) / 2, y,
             ('%d'):format(piece[row[2]]),
             {size = size, align = 'middle',
              role = k == 1 and 'muted' or 'ink'})
    end
  end
  y = y + 15
end
local said = {}
for _, piece in ipairs(pieces) do
  said[#said + 1] = ('digit %d of tile %d: %d from place %d'):format(
    piece.digit, piece.tile, piece.count, piece.start)
end
d:alt(('Two tiles of %d keys, with lines that lead to their places in the ' ..
  'output. There, all keys of a digit are together, those of tile 0 before ' ..
  'those of tile 1. %s.'):format(each, table.concat(said, '; ')))
