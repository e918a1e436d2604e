-- title: Which lanes of a warp are active while two levels of branches run
-- data: bench/warps/nested_trace.software.csv
local n = 32
-- Runs of instructions with one mask. A branch that is taken by some executes
-- for the lanes that take it, so the lanes that were active at it count.
local runs = {}
for _, row in ipairs(data.software('warps/nested_trace').rows) do
  local mask, last = tonumber(tostring(row.active_mask), 16), runs[#runs]
  if last and last.mask == mask then
    last.count = last.count + 1
  else
    runs[#runs + 1] = {mask = mask, count = 1}
  end
end
local total, n_long = 0, 0
for _, run in ipairs(runs) do total = total + run.count end
local function lanes_of(mask)
  local count = 0
  for lane = 0, n - 1 do count = count + (mask >> lane & 1) end
  return count
end

local size = d:choose('small', 'tiny')
local x0, tail = d.left + 4, d:choose(150, 96)
local w = d.width - d.left - tail - x0
local each = w / n
local y = d:numbers(x0, 2, w, n, d:choose(1, 4)) + 4
d:text(x0 + w + 10, 8, 'lanes, instructions', {size = size, role = 'muted'})
local tall, said, work = d:choose(230, 210), {}, 0
for _, run in ipairs(runs) do
  local high = math.max(run.count / total * tall, 4)
  local active = lanes_of(run.mask)
  for lane = 0, n - 1 do
    local on = run.mask >> lane & 1 == 1
    d:rect(x0 + lane * each, y, each - 1, high - 1,
           {fill = not on and 'lane_off' or active == n and 'lane' or
                   active == n / 4 and 'warp_' .. lane % 4 or 'muted', tint = on and 0.75 or 0.6, lane = lane})
  end
  if high >= 12 then
    d:text(x0 + w + 10, y + high / 2, {'%d lanes, %d', active, run.count},
           {size = size})
    said[#said + 1] = ('%d lanes for %d instructions'):format(active, run.count)
  end
  work = work + active * run.count
  y = y + high
end
d:paragraph(d.left, y + 6, d.width - 2 * d.left,
  {'Time runs downwards. On average, %.0f %% of the lanes are active.',
   100 * work / total / n}, {size = size, role = 'muted'})
d:alt(('32 columns for the lanes of a warp, with time running downwards. All ' ..
  'are filled at first and at the end; in between, four bands, in each of ' ..
  'which every fourth lane is filled and the others are pale: %s.'):format(
  table.concat(said, '; ')))
