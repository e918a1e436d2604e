-- title: Three kernels, the second of them in the default stream
-- data: bench/streams/null_stream.reference.csv
local t = data.csv('streams/null_stream')
local schemes = {
  {'blocking', 'Streams made by cudaStreamCreate'},
  {'non_blocking', 'Streams made with cudaStreamNonBlocking'},
  {'per_thread', 'kernel_2 in the thread\'s own default stream'},
}
local names = {'stream_1', 'default', 'stream_2'}
local fills = {'load', 'emphasis', 'arithmetic'}
local last = 0
for _, row in ipairs(t.rows) do last = math.max(last, row.end_us) end
local left = d.left + d:choose(70, 60)
local width, bar = d.width - d.left - left, d:choose(20, 17)
local y, said = 12, {}
for _, scheme in ipairs(schemes) do
  local first, final = math.huge, 0
  d:text(d.left, y, scheme[2], {size = d:choose('text', 'small')})
  y = y + 14
  for k = 0, 2 do
    local each = t:one{version = scheme[1], stream = k}
    local from = left + each.begin_us / last * width
    local wide = (each.end_us - each.begin_us) / last * width
    d:text(left - 8, y + bar / 2, names[k + 1],
           {size = 'small', align = 'right', role = 'muted'})
    d:line(left, y + bar, left + width, y + bar, {line = 'grid'})
    d:rect(from, y + 1, wide, bar - 2, {fill = fills[k + 1], tint = 0.6})
    d:fit(from, y + 1, wide, bar - 2, {d:choose('kernel_%d', '%d'), k + 1},
          {size = 'small'})
    first, final = math.min(first, each.begin_us),
                   math.max(final, each.end_us)
    y = y + bar + 4
  end
  said[#said + 1] = ('%s: %s microseconds in all'):format(scheme[2],
                                                   number(final - first, 3))
  y = y + 14
end
d:axis(left, y - 6, width, 0, last, last > 300 and 100 or 50, 'time in µs')
d:alt('Three timelines, each with a row for stream 1, the default stream and ' ..
      'stream 2, and a bar for the kernel in it. ' ..
      table.concat(said, '; ') .. '. In the first, the three bars follow one ' ..
      'another; in the others they overlap.')
