-- title: What one load of a warp moves, from memory to the lanes
-- data: bench/coalescing/traffic.reference.csv
local traffic = data.csv('coalescing/traffic')
local patterns = {
  {'aligned', 'floats in order'},
  {'every_fourth', 'every fourth float'},
  {'worst', 'a float out of each line'},
  {'broadcast', 'one float for all lanes'},
}

-- Bytes for one request that arrive at the lanes, in L1 and in L2.
local rows, most = {}, 0
for i, pattern in ipairs(patterns) do
  local of = traffic:one{version = pattern[1]}
  local row = {said = pattern[2], wanted = 32 * of.word_bytes,
               moved = {32 * of.ld_sectors / of.ld_requests,
                        32 * of.l1_fill_sectors / of.ld_requests,
                        of.dram_read_bytes / of.ld_requests}}
  for _, bytes in ipairs(row.moved) do most = math.max(most, bytes) end
  rows[i] = row
end

local stations = {'lanes', 'L1', 'L2', 'memory'}
local box = d:choose(72, 46)
local gap = (d.width - 2 * d.left - 4 * box) / 3
local high, top = 56, 26
local step = high + 34
local function left(k) return d.left + (k - 1) * (box + gap) end

for k, name in ipairs(stations) do
  d:text(left(k) + box / 2, 12, name, {align = 'middle'})
  d:rect(left(k), top, box, #rows * step - 8, {fill = 'cell', radius = 4})
end
for i, row in ipairs(rows) do
  local y = top + (i - 1) * step
  local middle = y + 22 + high / 2
  d:text(left(1) + box + 8, y + 10, row.said, {size = 'small'})
  d:text(left(1) + box / 2, middle - 8, {'%d', row.wanted},
         {size = 'small', align = 'middle'})
  d:text(left(1) + box / 2, middle + 8, d:choose('bytes wanted', 'bytes'),
         {size = 'tiny', align = 'middle'})
  for k, bytes in ipairs(row.moved) do
    local x, thick = left(k) + box, math.max(1, bytes / most * high)
    local role = bytes > row.wanted * 1.1 and 'wasted' or 'used'
    if bytes >= 0.5 then
      d:rect(x, middle - thick / 2, gap, thick, {fill = role, tint = 0.75})
      local useful = math.min(bytes, row.wanted) / most * high
      if role == 'wasted' then
        d:rect(x, middle - useful / 2, gap, useful, {fill = 'used'})
      end
    else
      d:line(x, middle, x + gap, middle, {line = 'muted', dash = '2 3'})
    end
    d:text(x + gap / 2, middle - thick / 2 - 9,
           bytes >= 0.5 and {'%.0f', bytes} or 'nothing',
           {size = 'small', align = 'middle', halo = true})
  end
end
d:legend(d.left, top + #rows * step, d.width - 2 * d.left, {
  {{fill = 'used'}, 'bytes that the lanes want'},
  {{fill = 'wasted', tint = 0.75}, 'bytes that are moved along with them'}})
local worst = rows[3].moved
d:alt(('Four flows from memory over L2 and L1 to the lanes, as thick as the ' ..
  'bytes of one request. Floats in order: as much on every stretch. Every ' ..
  'fourth float: four times as much everywhere. A float out of each line: ' ..
  '%.0f bytes reach L1, but %.0f leave memory. One float for all: a thin ' ..
  'flow into the lanes and nothing before it.'):format(worst[1], worst[3]))
