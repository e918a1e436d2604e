-- title: A tile of 64 × 64 bfloat16 as a matrix descriptor describes it
-- data: bench/tensor_cores/ladder_4096.reference.csv
local ladder = data.csv('tensor_cores/ladder_4096')
local share = ladder:one{version = 'wgmma'}.share_of_cublas
local size = d:choose('small', 'tiny')
local fills = {'warp_0', 'warp_1', 'warp_2', 'warp_3'}

-- The whole tile: eight patterns, one below the other
local x, y = d.left + d:choose(128, 84), 34
local w, high, gap = d:choose(110, 76), d:choose(20, 17), 3
d:text(x + w / 2, 14, 'tile of A', {size = size, align = 'middle'})
for i = 0, 7 do
  local at = y + i * (high + gap)
  d:rect(x, at, w, high, {fill = i == 0 and 'emphasis' or 'cell',
         tint = i == 0 and 0.35 or 1, line = 'muted', weight = 0.6})
  d:fit(x, at, w, high, {'rows %d to %d', 8 * i, 8 * i + 7}, {size = 'tiny'})
end
local mid = y + high / 2
d:text(x - 26, mid, 'start address', {size = size, align = 'right'})
d:arrow({x - 22, mid, x - 3, mid}, {line = 'ink'})
d:side_brace(x - 6, y + high + gap + 1, y + 2 * (high + gap),
             d:choose('step to the next', 'step'), {size = size})
local bottom = y + 8 * (high + gap)

-- One pattern: eight rows, and where the swizzle puts their groups
local cell = d:choose(38, 26)
local px = d:choose(d.width - d.left - 8 * cell, d.left + 44)
local py = d:choose(y + 4, bottom + 52)
local row = d:choose(20, 18)
d:text(px + 4 * cell, py - 20, d:choose('the first pattern, a cell per 16-byte group',
  'the first pattern'), {size = size, align = 'middle'})
for r = 0, 7 do
  d:text(px - 8, py + (r + 0.5) * row, {'row %d', r},
         {size = 'tiny', align = 'right'})
  for p = 0, 7 do
    local group = p ~ r
    d:rect(px + p * cell, py + r * row, cell, row,
           {fill = fills[group // 2 + 1], tint = 0.45, line = 'paper'})
    d:fit(px + p * cell, py + r * row, cell, row, {'%d', group},
          {size = 'tiny'})
  end
end
if not d.narrow then
  d:line(x + w + 2, y, px - 44, py, {line = 'muted', dash = true})
  d:line(x + w + 2, y + high, px - 44, py + 8 * row,
         {line = 'muted', dash = true})
end

-- Which instruction reads which groups
local low = math.max(d:choose(bottom, 0), py + 8 * row) + 22
local names = {}
for i = 1, 4 do
  names[i] = {{fill = fills[i], tint = 0.45},
              d:choose(('terms %d to %d'):format(16 * i - 16, 16 * i - 1),
                       ('%d to %d'):format(16 * i - 16, 16 * i - 1))}
end
d:legend(d.left + d:choose(110, 30), low, d.width - 2 * d.left, names)
d:text(d.left, low + 26, {d:choose('four instructions read the four colours; ' ..
  'one stage after another reaches %.0f %% of cuBLAS',
  'one colour per instruction; %.0f %% of cuBLAS'), 100 * share}, {size = size})
d.height = low + 40
d:alt(('On the left a tile of 64 rows as eight patterns of eight rows each, ' ..
  'with an arrow to its start and a brace for the step from one pattern to ' ..
  'the next. On the right the first pattern: eight rows of eight groups. In ' ..
  'row 0 the groups are in order; in row r, group g is at place g XOR r. Four ' ..
  'colours mark the groups that each of four instructions reads. One stage ' ..
  'after another, the kernel reaches %.0f %% of cuBLAS.'):format(100 * share))
