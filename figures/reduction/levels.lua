-- title: Which warp adds which word, level by level
-- data: bench/reduction/interleaved_access.software.csv
-- data: bench/reduction/strided_access.software.csv
-- data: bench/reduction/sequential_access.software.csv
local cases = {
  {'interleaved', 'neighbours first: a few lanes of every warp'},
  {'strided', 'first threads: fewer warps, but words far apart collide in banks'},
  {'sequential', 'halves: fewer warps, and words side by side'},
}
local narrow_titles = {'neighbours first', 'first threads', 'halves'}
local n_words = 256
local head, tail = d:choose(58, 0), d:choose(132, 66)
local x, w = d.left + head, d.width - 2 * d.left - head - tail
local high = d:choose(13, 11)
local y, said = 2, {}

-- Requests of each warp and level: {read = {…}, written = …}; a warp's stores
-- are one for each level, after the one that fills the array.
local function levels_of(experiment)
  local levels, of_warp, fill = {}, {}, nil
  for _, request in ipairs(data.requests(experiment, {space = 'shared'})) do
    fill = fill or request.line
    if request.line ~= fill then
      local k = of_warp[request.warp] or 1
      levels[k] = levels[k] or {}
      table.insert(levels[k], request)
      if request.operation == 'store' then of_warp[request.warp] = k + 1 end
    end
  end
  return levels
end

for i, case in ipairs(cases) do
  d:text(d.left, y + 9, d:choose(case[2], narrow_titles[i]))
  if i == 1 then
    d:text(d.width - d.left, y + 9, d:choose('warps · wavefronts', 'w. · wavefr.'),
           {size = 'small', align = 'right', role = 'muted'})
  end
  y = y + 21
  local levels, total, n_levels = levels_of('reduction/' .. case[1] .. '_access'),
                                  0, 0
  for k, requests in ipairs(levels) do
    local warps, passes, n_warps, writes = {}, 0, 0, false
    for _, request in ipairs(requests) do
      writes = writes or request.operation == 'store'
    end
    if writes then
      n_levels = k
      d:rect(x, y, w, high - 2, {fill = 'cell', tint = 0.55})
      for _, request in ipairs(requests) do
        if not warps[request.warp] then n_warps = n_warps + 1 end
        warps[request.warp] = true
        if request.operation == 'load' then
          passes = passes + request:wavefronts()
        end
      end
      for _, operation in ipairs {'load', 'store'} do
        for _, request in ipairs(requests) do
          if request.operation == operation then
            local style = operation == 'load' and {fill = 'muted', tint = 0.45}
              or {fill = 'warp_' .. request.warp % 4}
            for _, row in ipairs(request.lanes) do
              d:rect(x + row.address / 4 * w / n_words, y,
                     math.max(w / n_words - 0.3, 0.9), high - 2, style)
            end
          end
        end
      end
      if not d.narrow then
        d:text(x - 8, y + high / 2 - 1, 'level ' .. k,
               {size = 'tiny', align = 'right', role = 'muted'})
      end
      d:text(x + w + tail / 2 - 4, y + high / 2 - 1, {'%d', n_warps},
             {size = 'tiny', align = 'right'})
      d:text(d.width - d.left, y + high / 2 - 1, {'%d', passes},
             {size = 'tiny', align = 'right',
              role = passes > 2 * n_warps and 'conflict' or 'ink'})
      y = y + high
      total = total + passes
    end
  end
  said[i] = ('%s: %d levels, %d wavefronts to load'):format(narrow_titles[i],
                                                           n_levels, total)
  y = y + 10
end
d:legend(d.left + head, y, w + tail, {
  {{fill = 'warp_0'}, 'added by warp 0 or 4'}, {{fill = 'warp_1'}, '1 or 5'},
  {{fill = 'warp_2'}, '2 or 6'}, {{fill = 'warp_3'}, '3 or 7'},
  {{fill = 'muted', tint = 0.45}, 'read only'}})
d:alt('Three panels of 256 words in shared memory, a row for each level of a ' ..
  'sum. Each word is coloured by the warp that adds ' ..
  'into it. ' .. table.concat(said, '; ') .. '. With neighbours first all ' ..
  'warps stay while their words thin out; with halves the work shrinks to ' ..
  'the left and stays together.')
