-- title: Copies and kernels over time, in one stream and in four
-- data: bench/streams/timeline.reference.csv
local t = data.csv('streams/timeline')
local schemes = {
  {'one_stream', 'One stream'},
  {'depth_first', 'Four streams, depth first'},
  {'breadth_first', 'Four streams, breadth first'},
}
local rows = {{'in', 'copies in', 'load'}, {'kernel', 'kernels', 'arithmetic'},
              {'out', 'copies out', 'store'}}
local last = 0
for _, row in ipairs(t.rows) do last = math.max(last, row.end_us) end
local name_width, bar, gap = d:choose(82, 62), d:choose(20, 17), 4
local left = d.left + name_width
local width = d.width - d.left - left
local y, ends = 12, {}
for _, scheme in ipairs(schemes) do
  d:text(d.left, y, scheme[2], {size = 'text'})
  y = y + 14
  for _, row in ipairs(rows) do
    d:text(left - 8, y + bar / 2, row[2], {size = 'small', align = 'right',
                                           role = 'muted'})
    d:line(left, y + bar, left + width, y + bar, {line = 'grid'})
    for _, each in ipairs(t:select{version = scheme[1], what = row[1]}) do
      local from = left + each.begin_us / last * width
      local wide = math.max((each.end_us - each.begin_us) / last * width, 1)
      d:rect(from, y + 1, wide, bar - 2, {fill = row[3],
             tint = 0.35 + 0.17 * (each.piece % 4), line = 'paper'})
      if wide > 12 then
        d:fit(from, y + 1, wide, bar - 2, {'%d', each.piece + 1},
              {size = 'small'})
      end
      ends[scheme[1]] = math.max(ends[scheme[1]] or 0, each.end_us)
    end
    y = y + bar + gap
  end
  y = y + 14
end
local step = 1
while last / 1000 / step > 8 do step = step * (step == 2 and 2.5 or 2) end
d:axis(left, y - 6, width, 0, last / 1000, step, 'ms since the first copy')
local said = {}
for _, scheme in ipairs(schemes) do
  said[#said + 1] = ('%s ends after %s ms'):format(scheme[2],
                                            number(ends[scheme[1]] / 1000, 3))
end
d:alt('Three timelines with a row each for copies in, kernels and copies ' ..
      'out, of four numbered pieces. In one stream only one row is busy at ' ..
      'any time. In four streams the rows overlap like steps of a stair. ' ..
      table.concat(said, '; ') .. '.')
