-- title: When each block of a sum draws its ticket, and what the last one does
-- data: bench/reduction/arrivals.reference.csv
local blocks = data.csv('reduction/arrivals').rows
table.sort(blocks, function(a, b) return a.ticket < b.ticket end)
local n, last = #blocks, blocks[#blocks]
local size = d:choose('small', 'tiny')
local stop = math.ceil(last.end_us)
local x0 = d.left + d:choose(64, 44)
local w = d.width - d.left - x0
local function x_of(us) return x0 + us / stop * w end
local high = d:choose(0.9, 0.75)

local y = 2
d:text(d.left, y + 8, {d:choose('%d blocks, in the order of their tickets',
                                '%d blocks, by ticket'), n})
y = y + 24
local top = y
local function bars(style, from, to)
  for k, block in ipairs(blocks) do
    d:rect(x_of(block[from]), top + (k - 1) * high,
           x_of(block[to]) - x_of(block[from]), high, style)
  end
end
bars({fill = 'load', tint = 0.35}, 'start_us', 'summed_us')
bars({fill = 'store', tint = 0.55}, 'summed_us', 'drawn_us')
for _, k in ipairs{1, n // 2, n} do
  d:text(x0 - 6, top + (k - 0.5) * high,
         {k == 1 and d:choose('ticket %d', '%d') or '%d', blocks[k].ticket},
         {size = 'tiny', align = 'right', role = 'muted'})
end
y = top + n * high + 8
local from, to = x_of(last.drawn_us), x_of(last.end_us)
d:line(from, top + n * high, from, y + 12, {line = 'emphasis', weight = 1.5})
d:rect(from, y, to - from, 12, {fill = 'emphasis'})
d:text(from - 8, y + 6,
       {d:choose('the last block adds the %d sums: %.2f µs',
                 '%d sums added: %.2f µs'), n,
        last.end_us - last.drawn_us},
       {size = size, align = 'right', role = 'emphasis'})
y = d:axis(x0, y + 18, x_of(stop - stop % 5) - x0, 0, stop - stop % 5, 5,
           'time in µs')
d:legend(d.left, y + d:choose(-14, 2), d.width - 2 * d.left, {
  {{fill = 'load', tint = 0.35}, 'loads and adds its share'},
  {{fill = 'store', tint = 0.55}, 'writes its sum, draws a ticket'}}, size)
d:alt(('%d rows, one for each block, over time. They start together and end ' ..
  'within a few microseconds of each other, between %.1f and %.1f µs, each by ' ..
  'drawing a ticket. The block with the last ticket goes on for %.2f µs and ' ..
  'adds all sums.'):format(n, blocks[1].drawn_us, last.drawn_us,
                           last.end_us - last.drawn_us))
