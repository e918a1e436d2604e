-- title: Which values one result of a Fourier transform is made of, pass by pass
-- data: bench/libraries/radix_4_access.software.csv
-- data: bench/libraries/radix_32_access.software.csv
local points, bytes = 1024, 8
local cases = {{4, 'radix 4'}, {32, 'radix 32'}}
local result = 400        -- which of the 1024 is followed

-- Passes of a thread, in order: {takes = elements, gives = elements}. A pass
-- begins with the first load after a store.
local function passes_of(experiment)
  local threads = {}
  for _, row in ipairs(data.software(experiment).rows) do
    local name = row.warp * 32 + row.lane
    local mine = threads[name] or {last = 'store'}
    threads[name] = mine
    if row.operation == 'load' and mine.last == 'store' then
      mine[#mine + 1] = {takes = {}, gives = {}}
    end
    mine.last = row.operation
    local into = row.operation == 'load' and 'takes' or 'gives'
    table.insert(mine[#mine][into], row.address // bytes)
  end
  -- By pass: which elements the element is made of.
  local passes = {}
  for _, mine in pairs(threads) do
    for k, pass in ipairs(mine) do
      passes[k] = passes[k] or {}
      for _, element in ipairs(pass.gives) do passes[k][element] = pass.takes end
    end
  end
  return passes
end

local places, said, below = d:columns(2, 44), {}, 2
local size = d:choose('small', 'tiny')
for k, case in ipairs(cases) do
  local radix, place = case[1], places[k]
  local passes = passes_of('libraries/radix_' .. radix .. '_access')
  local y = d.narrow and below or 2
  y = d:heading(place.x, y, place.w, case[2], {'%d passes', #passes})
  y = y + 6
  local gutter = d:text_width('1024', 'tiny') + 8
  local left, w = place.x + gutter, place.w - gutter
  local function x_of(element) return left + (element + 0.5) * w / points end
  local step = d:choose(200, 180) / #passes

  -- From the result upwards: what it is made of, one pass after the other.
  -- Lines are those of all values while they are few, then of one of them.
  local levels, drawn = {[#passes] = {[result] = true}}, {result}
  for p = #passes, 1, -1 do
    levels[p - 1] = {}
    for element in pairs(levels[p]) do
      for _, from in ipairs(passes[p][element]) do levels[p - 1][from] = true end
    end
    local sources = {}
    for _, element in ipairs(drawn) do
      for _, from in ipairs(passes[p][element]) do
        sources[#sources + 1] = from
        d:line(x_of(from), y + (p - 1) * step + 4, x_of(element), y + p * step,
               {line = 'lane', weight = 0.6})
      end
    end
    table.sort(sources)
    drawn = #sources > 16 and {sources[#sources // 4]} or sources
  end
  local counts = {}
  for p = 0, #passes do
    local top, n = y + p * step, 0
    d:rect(left, top, w, 4, {fill = 'cell'})
    local from
    for element = 0, points do
      local on = levels[p][element]
      if on then
        n = n + 1
        from = from or element
      elseif from then
        local wide = math.max((element - from) * w / points, 1.2)
        d:rect((x_of(from) + x_of(element - 1) - wide) / 2, top, wide, 4,
               {fill = p == #passes and 'emphasis' or 'lane'})
        from = nil
      end
    end
    counts[#counts + 1] = tostring(n)
    d:text(left - 8, top + 2, {'%d', n},
           {size = 'tiny', align = 'right', role = 'muted'})
  end
  d:text(x_of(result), y + #passes * step + 14, 'one result',
         {size = size, align = 'middle', role = 'emphasis'})
  below = y + #passes * step + 34
  said[k] = ('%s: %s'):format(case[2], table.concat(counts, ', '))
end
d:alt('Two fans of lines that spread upwards from one result to the 1024 ' ..
  'values of a transform, a row for each pass. Values that it is made of, row ' ..
  'by row: ' .. table.concat(said, '; ') .. '.')
