-- title: How far three matrix products load ahead of what they multiply
-- data: bench/matmul/warp_tile_trace.software.csv
-- data: bench/matmul/double_buffer_trace.software.csv
-- data: bench/matmul/async_trace.software.csv
local cases = {
  {'warp_tile', 'one buffer', 'one buffer'},
  {'double_buffer', 'two buffers', 'two buffers'},
  {'async', 'asynchronous copies, three slices ahead', 'asynchronous copies'},
}

-- What a warp does, by the number of its instruction: slices in flight, from
-- the first load to the last use; slices multiplied; barriers.
local function events_of(experiment)
  local flights, products, barriers, copies = {}, {}, {}, {}
  local open, product, n_waits = nil, nil, 0
  for i, row in ipairs(data.software(experiment).rows) do
    local code = row.opcode
    if code:find('^ld.global') then
      open = open or {from = i}
    elseif code:find('^cp.async.c[ag]') then
      open = open or {from = i}
    elseif code == 'cp.async.commit_group' then
      copies[#copies + 1] = open or false
      open = nil
    elseif code:find('^cp.async.wait_group') then
      -- The loop waits once for each slice, in the order of the groups.
      n_waits = n_waits + 1
      local group = copies[n_waits]
      if group then
        group.to = i
        flights[#flights + 1] = group
      end
    elseif code:find('^st.shared') then
      open.to = i
    elseif code:find('^bar.sync') then
      barriers[#barriers + 1] = i
      if open and open.to then
        flights[#flights + 1] = open
        open = nil
      end
      product = nil
    elseif code:find('^fma') or code:find('^ld.shared') then
      if not product then
        product = {from = i}
        products[#products + 1] = product
      end
      product.to = i
    end
  end
  return flights, products, barriers
end

local x0 = d.left + d:choose(74, 58)
local size, high, y, said, longest = d:choose('small', 'tiny'), 15, 2, {}, 0
local all = {}
for k, case in ipairs(cases) do
  local flights, products, barriers =
    events_of('matmul/' .. case[1] .. '_trace')
  all[k] = {flights, products, barriers}
  longest = math.max(longest, products[#products].to)
end
local w = d.width - d.left - x0
local function at(i) return x0 + i / longest * w end

for k, case in ipairs(cases) do
  local flights, products, barriers = table.unpack(all[k])
  -- The distance in the steady state: that of the last slice.
  local last = flights[#flights]
  local ahead = last.to - last.from
  d:text(d.left, y + 9, d:choose(case[2], case[3]))
  d:text(d.width - d.left, y + 9,
         {d:choose('%d instructions from load to use', '%d instructions'),
          ahead}, {size = size, align = 'right',
                   role = ahead < 100 and 'bad' or 'good'})
  y = y + 24
  -- Slices in flight at the same time lie below each other.
  local free, rows = {}, 0
  for n, flight in ipairs(flights) do
    local row = 1
    while free[row] and free[row] > flight.from do row = row + 1 end
    free[row], rows = flight.to, math.max(rows, row)
    flight.row = row
  end
  local top = y
  for n, flight in ipairs(flights) do
    local left = at(flight.from)
    local wide = math.max(at(flight.to) - left, 3)
    local fy = y + (flight.row - 1) * (high + 3)
    d:rect(left, fy, wide, high, {fill = 'load', tint = 0.5})
    if wide > 14 then
      d:fit(left, fy, wide, high, tostring(n), {size = size})
    else
      d:text(left + wide + 3, fy + high / 2, tostring(n), {size = size})
    end
  end
  d:text(x0 - 8, y + rows * (high + 3) / 2 - 1, 'in flight',
         {size = size, align = 'right', role = 'muted'})
  y = y + rows * (high + 3) + 2
  for n, product in ipairs(products) do
    local left = at(product.from)
    local wide = at(product.to) - left
    d:rect(left, y, wide, high, {fill = 'arithmetic', tint = 0.55})
    d:fit(left, y, wide, high, tostring(n), {size = size})
  end
  d:text(x0 - 8, y + high / 2, 'multiplied',
         {size = size, align = 'right', role = 'muted'})
  for _, i in ipairs(barriers) do
    d:line(at(i), y - 3, at(i), y + high + 4, {line = 'ink', weight = 1.5})
  end
  y = y + high + 20
  said[k] = ('%s: %d barriers for %d slices, and %d instructions from the load '
    .. 'of a slice to its use'):format(case[2], #barriers, #products, ahead)
end
local marked = longest // 500 * 500
y = d:axis(x0, y, at(marked) - x0, 0, marked, d:choose(500, 1000),
           'instructions of one warp')
y = d:legend(d.left, y + 2, d.width - 2 * d.left, {
  {{fill = 'load', tint = 0.5}, 'slice loaded, not used yet'},
  {{fill = 'arithmetic', tint = 0.55}, 'slice multiplied'},
  {{fill = 'ink'}, 'barrier'}}, size)
d:alt('Three timelines of the first warp over its instructions. ' ..
  table.concat(said, '; ') .. '. With one buffer, a slice is used right after ' ..
  'its load and multiplied between two barriers. With two buffers, the load of ' ..
  'the next slice lies above the product of this one. With asynchronous ' ..
  'copies, several slices are in flight at the same time.')
