-- title: A branch as a fork: how many lanes go each way, and when
-- data: bench/warps/lane_trace.software.csv
-- data: bench/warps/warp_trace.software.csv
-- Width is lanes, height is instructions, time runs downwards.
local n, full = 32, 0xffffffff
local source = {even = 'even_path', odd = 'odd_path'}

-- A warp's instructions as runs of one mask.
local function runs_of(result, warp)
  local runs = {}
  for _, row in ipairs(data.software(result):select{warp = warp}) do
    local mask, last = tonumber(tostring(row.active_mask), 16), runs[#runs]
    if last and last.mask == mask then
      last.count = last.count + 1
    else
      runs[#runs + 1] = {mask = mask, count = 1}
    end
  end
  return runs
end
local function lanes_of(mask)
  local count = 0
  for lane = 0, n - 1 do count = count + (mask >> lane & 1) end
  return count
end
local function total_of(runs)
  local count = 0
  for _, run in ipairs(runs) do count = count + run.count end
  return count
end

local lane, gap = d:choose(5, 2.7), d:choose(30, 16)
local tall = d:choose(2.0, 1.9)          -- of an instruction
local wide, half = n * lane, n * lane / 2
local top, size = d:choose(44, 58), d:choose('small', 'tiny')

local function label(at, y, path, lanes, instructions)
  d:text(at, y - 8, d:choose(path, ('%d lanes'):format(lanes)),
         {align = 'middle', size = size})
  d:text(at, y + 8, d:choose({'%d lanes × %d', lanes, instructions},
                             {'× %d', instructions}),
         {align = 'middle', size = size})
end

-- The warp that splits: the odd lanes on the left, the even ones on the right.
local split = runs_of('warps/lane_trace', 0)
local x = d:choose(108, 10)
local middle = x + half + gap / 2
local y, said = top, {}
local fork
local slope = d:choose(14, 12)
for i, run in ipairs(split) do
  local high = run.count * tall
  if run.mask == full then
    local last = i > 1
    -- The trunk narrows to a fork, or two branches meet in it.
    local y1, y2 = y + (last and slope or 0), y + math.max(high, 8) +
      (last and slope or 0)
    d:rect(middle - half, y1, wide, y2 - y1,
           {fill = 'muted', tint = 0.45})
    if not last then
      d:fit(middle - half, y1, wide, y2 - y1, {d:choose(
              '%d lanes × %d instructions', '%d lanes × %d'), n, run.count},
            {size = size})
      fork = y2
    end
    for side = 0, 1 do
      local from = middle - half + side * half
      local to = from + (side == 0 and -gap / 2 or gap / 2)
      local a, b = y2, y2 + slope
      if last then a, b = y1, y1 - slope end
      d:path({from, a, from + half, a, to + half, b, to, b},
             {fill = 'muted', tint = 0.45, close = true})
    end
    y = last and y2 or y2 + slope
  else
    local odd = run.mask & 1 == 0
    local at = odd and middle - half - gap / 2 or middle + gap / 2
    local waits = odd and middle + gap / 2 or middle - half - gap / 2
    local role = odd and 'path_1' or 'path_0'
    d:rect(at, y, half, high, {fill = role, tint = 0.55, line = role})
    d:rect(waits, y, half, high,
           {fill = 'lane_off', line = 'muted', dash = '3 3'})
    label(at + half / 2, y + high / 2, odd and source.odd or source.even,
          lanes_of(run.mask), run.count)
    d:text(waits + half / 2, y + high / 2, 'wait',
           {align = 'middle', size = size})
    said[#said + 1] = ('%d lanes walk %s for %d instructions while the others '
      .. 'wait'):format(lanes_of(run.mask), odd and source.odd or source.even,
      run.count)
    y = y + high
  end
end
local foot = y
d:text(middle, top - 14, 'by_lane', {align = 'middle'})
d:text(middle, foot + 14, {'%d instructions', total_of(split)},
       {align = 'middle', size = size})
if d:choose(true, false) then
  d:text(middle - half - gap / 2 - 8, fork + slope / 2, 'i % 2 == 0 ?',
         {align = 'right', size = size})
  d:text(middle - half - gap / 2 - 8, foot - 22, 'they meet again',
         {align = 'right', size = size, role = 'muted'})
end

-- The warps that do not: each has one path, and all lanes take it. The paths
-- are functions that stand above the kernels in the file.
local whole = {}
for warp = 0, 1 do
  local rows = data.software('warps/warp_trace'):select{warp = warp}
  local runs = runs_of('warps/warp_trace', warp)
  assert(#runs == 1 and runs[1].mask == full, 'a warp of by_warp splits')
  local first, last
  for i, row in ipairs(rows) do
    if row.line > 0 and row.line < rows[1].line then
      first, last = first or i, i
    end
  end
  local at = middle + half + gap / 2 + d:choose(50, 20) +
    warp * (wide + d:choose(22, 12))
  local role = warp == 0 and 'path_0' or 'path_1'
  local before, path = (first - 1) * tall, (last - first + 1) * tall
  local after = (#rows - last) * tall
  d:rect(at, top, wide, before, {fill = 'muted', tint = 0.45})
  d:rect(at, top + before, wide, path, {fill = role, tint = 0.55, line = role})
  d:rect(at, top + before + path, wide, after, {fill = 'muted', tint = 0.45})
  label(at + half, top + before + path / 2,
        warp == 0 and source.even or source.odd, n, last - first + 1)
  d:text(at + half, top - 14, {d:choose('by_warp, warp %d', 'warp %d'), warp},
         {align = 'middle'})
  d:text(at + half, top + #rows * tall + 14, {'%d instructions', #rows},
         {align = 'middle', size = size})
  whole[#whole + 1] = #rows
end
if d:choose(false, true) then
  d:text(middle + half + gap / 2 + 20 + wide + 6, top - 34, 'by_warp',
         {align = 'middle'})
end
d.height = foot + 28
d:alt(('Bands whose width is lanes and whose height is instructions. by_lane: ' ..
  'a band of %d lanes forks into two; %s. Then they join, after %d ' ..
  'instructions. by_warp: two straight bands of %d lanes, one for each ' ..
  'path, of %d and %d instructions.'):format(n, table.concat(said, ', then '),
  total_of(split), n, whole[1], whole[2]))
