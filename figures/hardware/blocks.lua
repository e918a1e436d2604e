-- title: Which SM ran which block, and when
-- data: bench/hardware/blocks.reference.csv
local visits = data.csv('hardware/blocks')
local shown = 16
local n_sm, last = 0, 0
for _, row in ipairs(visits.rows) do
  n_sm = math.max(n_sm, row.multiprocessor + 1)
  last = math.max(last, row.ended_us)
end
local label = d:choose(50, 40)
local x, w = d.left + label, d.width - 2 * d.left - label
local scale = w / last

local function look(block)
  if block < n_sm then return {fill = 'load', tint = 0.45} end
  if block < 2 * n_sm then return {fill = 'store', tint = 0.45} end
  return {fill = 'good', tint = 0.75}
end
local function panel(y, version, said)
  d:text(d.left, y + 9, said)
  y = y + 22
  for sm = 0, shown - 1 do
    if sm % 4 == 0 then
      d:text(x - 8, y + 7, {'SM %d', sm}, {size = 'tiny', align = 'right'})
    end
    for _, row in ipairs(visits:select{version = version, multiprocessor = sm}) do
      local from = x + row.began_us * scale
      local long = (row.ended_us - row.began_us) * scale - 1
      d:rect(from, y, long, 14, look(row.block))
      if long > 22 then
        d:fit(from, y, long, 14, {'%d', row.block}, {size = 'tiny'})
      end
    end
    y = y + 16
  end
  return y
end
local y = d:legend(d.left, 2, d.width - 2 * d.left, {
  {look(0), {'blocks 0 to %d', n_sm - 1}},
  {look(n_sm), {'%d to %d', n_sm, 2 * n_sm - 1}},
  {look(2 * n_sm), 'the last 20'}}) + 6
y = panel(y, 'equal', 'Every block takes equally long') + 12
y = panel(y, 'uneven', 'Each block takes as long as a die says')
d:axis(x, y + 4, (last - last % 50) * scale, 0, last - last % 50, 50, 'µs')
d:alt(('Two timelines of %d of the %d SMs, with numbered bars for their blocks. '
  .. 'Above, all bars are equally long: two full columns, and in the third only '
  .. 'a few SMs have a block. Below, the lengths differ, and each SM begins its '
  .. 'next block as soon as the one before has ended.'):format(shown, n_sm))
