-- title: Where records of eight floats are in the banks, in three layouts
-- data: bench/shared_memory/records_counts.software.csv
local floats, lanes, banks = 8, 32, 32
local counts = data.software('shared_memory/records_counts')
-- The place of word w of record r, as in records.cu.
local layouts = {
  {'staged', 'one after another', function(r, w) return r * floats + w end},
  {'padded', 'padded', function(r, w) return r * (floats | 1) + w end},
  {'swizzled', 'swizzled', function(r, w)
    local i = r * floats + w
    return i ~ (i // banks & (floats - 1))
  end},
}

-- The busiest bank decides.
local function wavefronts(places)
  local busy, most = {}, 0
  for _, place in ipairs(places) do
    local bank = place % banks
    busy[bank] = (busy[bank] or 0) + 1
    most = math.max(most, busy[bank])
  end
  return most
end

local function count(n) return n == 1 and '1 wavefront' or n .. ' wavefronts' end

local columns, said = d:columns(3), {}
local below = 2
for k, layout in ipairs(layouts) do
  local name, title, place = table.unpack(layout)
  local computing, filling, what, last = {}, {}, {}, 0
  for lane = 0, lanes - 1 do
    computing[#computing + 1] = place(lane, 0)
    -- The first row of the block's records: 32 words that follow each other.
    filling[#filling + 1] = place(lane // floats, lane % floats)
    for w = 0, floats - 1 do
      what[place(lane, w)] = 'kept'
      last = math.max(last, place(lane, w))
    end
  end
  for _, at in ipairs(filling) do what[at] = 'filled' end
  for _, at in ipairs(computing) do
    what[at] = what[at] == 'filled' and 'both' or 'computed'
  end
  local looks = {
    kept = {fill = 'cell'},
    filled = {fill = 'store', tint = 0.45},
    computed = {fill = 'load'},
    both = {fill = 'load', line = 'store', weight = 1.5},
  }
  local x, w = columns[k].x, columns[k].w
  local a, b = wavefronts(computing), wavefronts(filling)
  local y = d:heading(x, d.narrow and below or 2, w, title)
  y = d:cells(x, y, last // banks + 1, banks, w / banks, d:choose(12, 13),
    function(row, bank)
      return looks[what[row * banks + bank]] or false
    end)
  d:text(x, y + 10, 'compute: ' .. count(a), {size = 'small',
    role = a > 1 and 'conflict' or 'good'})
  d:text(x + w, y + 10, 'fill: ' .. count(b), {size = 'small', align = 'right',
    role = b > 1 and 'conflict' or 'good'})
  local counted = counts:one{version = name, n_floats = floats}
  d:text(x, y + 27, {'counted: %s per load, %s per store',
    number(counted.shared_ld_wavefronts / counted.shared_ld_requests, 2),
    number(counted.shared_st_wavefronts / counted.shared_st_requests, 2)},
    {size = 'small', role = 'muted'})
  below = math.max(below, y + 46)
  said[k] = ('%s: %s to compute, %s to fill'):format(title, count(a), count(b))
end
local y = d:legend(d.left, below, d.width - 2 * d.left, {
  {{fill = 'load'}, 'first word of each record: one load of a warp'},
  {{fill = 'store', tint = 0.45}, '32 words in a row: one store that fills'},
})
d.height = y + 2
d:alt('Three maps of shared memory, 32 banks across. ' ..
  table.concat(said, '; ') .. '. One after another, the first words of the ' ..
  'records are in four columns; padded and swizzled, they are in all 32. ' ..
  'Padded, the words of one store run over into the next row; swizzled, ' ..
  'they fill a row.')
