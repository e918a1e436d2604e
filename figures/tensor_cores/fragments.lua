-- title: Which lane of a warp holds which sums
-- data: bench/tensor_cores/sums_access.software.csv
local rows, columns, row_bytes = 16, 16, 256 * 2
local holder = {}
for _, one in ipairs(data.software('tensor_cores/sums_access'):select{
    space = 'global', operation = 'store'}) do
  local row = one.offset // row_bytes
  local column = one.offset % row_bytes // 2
  for k = 0, one.bytes // 2 - 1 do
    holder[row * 256 + column + k] = math.tointeger(one.lane)
  end
end
local x0 = d.left + d:choose(62, 44)
local cell = (d.width - d.left - x0) / columns
local high = d:choose(18, 15)
local y0 = 26
d:text(x0, 10, d:choose('columns 0 to 15 of the tile; each box: two neighbours in one lane',
                        'columns 0 to 15; a box: two of one lane'),
       {size = d:choose('small', 'tiny')})
for row = 0, rows - 1 do
  local y = y0 + row * high
  if row % 8 == 0 or row == 15 then
    d:text(x0 - 8, y + high / 2, {'row %d', row},
           {size = 'tiny', align = 'right'})
  end
  for column = 0, columns - 2, 2 do
    local lane = holder[row * 256 + column]
    assert(lane == holder[row * 256 + column + 1])
    local mine = lane == 5
    d:rect(x0 + column * cell, y, 2 * cell - 1, high - 1,
           {fill = mine and 'result' or 'lane', tint = mine and 0.75 or 0.25,
            lane = lane})
    d:fit(x0 + column * cell, y, 2 * cell - 1, high - 1, {'%d', lane},
          {size = 'tiny'})
  end
end
d.height = y0 + rows * high + 6
d:alt(('A table of 16 rows and 16 columns of sums. Two neighbouring columns ' ..
  'are in one lane. Row 0 is in lanes %d to %d and again in these for the ' ..
  'next eight columns; row 7 ends with lane %d; row 8 is in the same lanes as ' ..
  'row 0. Lane 5, marked, has row 1 and row 9.'):format(holder[0], holder[6],
  holder[7 * 256 + 6]))
