-- title: Which SM ran which block, and when
-- data: bench/threads/blocks.reference.csv
local blocks = data.csv('threads/blocks').rows
local shown = d:choose(12, 8)
local n_sm, last = 0, 0
for _, row in ipairs(blocks) do
  n_sm = math.max(n_sm, row.multiprocessor + 1)
  last = math.max(last, row.end_us)
end
table.sort(blocks, function(a, b)
  return a.start_us < b.start_us or a.start_us == b.start_us and
         a.block < b.block
end)
local x0 = d.left + d:choose(46, 40)
local w = d.width - d.left - x0
local function x_of(us) return x0 + us / last * w end
local size = d:choose('small', 'tiny')

-- Blocks of one SM at the same time are in rows of their own.
local high, y = d:choose(13, 11), 2
d:text(d.left, y + 8, {d:choose('the blocks of %d of %d SMs', '%d of %d SMs'),
                       shown, n_sm}, {size = size})
y = y + 22
local n_rows = 0
local function rows_of(sm)
  local free, rows = {}, {}
  for _, block in ipairs(blocks) do
    if block.multiprocessor == sm then
      local row = 1
      while free[row] and free[row] > block.start_us + 0.5 do row = row + 1 end
      free[row] = block.end_us
      rows[#rows + 1] = {row, block}
    end
  end
  return rows, #free
end
for sm = 0, shown - 1 do
  local rows, n = rows_of(sm)
  d:text(x0 - 6, y + n * high / 2, {'SM %d', sm},
         {size = 'tiny', align = 'right', role = 'muted'})
  for _, placed in ipairs(rows) do
    local row, block = placed[1], placed[2]
    local from, to = x_of(block.start_us), x_of(block.end_us)
    local tail = to > w * 0.98 + x0
    d:rect(from, y + (row - 1) * high, to - from - 1, high - 1,
           {fill = tail and 'result' or 'gpu', tint = row == 1 and 0.5 or 0.3})
    d:fit(from, y + (row - 1) * high, to - from - 1, high - 1,
          {'%d', block.block}, {size = 'tiny'})
  end
  y = y + n * high + 4
end

-- How many blocks of all SMs run at each time.
y = y + 14
d:text(d.left, y + 4, {d:choose('blocks at work on all %d SMs',
                                'blocks on all %d SMs'), n_sm}, {size = size})
y = y + 14
local events = {}
for _, block in ipairs(blocks) do
  events[#events + 1] = {block.start_us, 1}
  events[#events + 1] = {block.end_us, -1}
end
table.sort(events, function(a, b)
  return a[1] < b[1] or a[1] == b[1] and a[2] < b[2]
end)
local running, most = 0, 0
for _, event in ipairs(events) do
  running = running + event[2]
  most = math.max(most, running)
end
local tall = 58
local function y_of(n) return y + tall - n / most * tall end
local points, now = {x0, y + tall}, 0
for _, event in ipairs(events) do
  points[#points + 1], points[#points + 2] = x_of(event[1]), y_of(now)
  now = now + event[2]
  points[#points + 1], points[#points + 2] = x_of(event[1]), y_of(now)
end
points.close = true
d:path(points, {fill = 'gpu', tint = 0.4, close = true})
d:text(x0 - 6, y_of(most) + 4, {'%d', most},
       {size = 'tiny', align = 'right', role = 'muted'})
d:text(x0 - 6, y + tall - 3, '0',
       {size = 'tiny', align = 'right', role = 'muted'})
d:axis(x0, y + tall + 4, x_of(last - last % 50) - x0, 0, last - last % 50,
       d:choose(50, 100), 'time in µs')
d:alt(('Above, a timeline of %d of %d SMs with numbered bars for blocks, two ' ..
  'rows for each SM because two blocks share it. A bar follows another without ' ..
  'a gap; at the end some rows are empty. Below, how many blocks run: %d almost ' ..
  'all the time, and fewer during the last of the time.'):format(shown, n_sm,
  most))
