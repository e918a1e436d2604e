-- title: The 128-byte lines that one load of a warp touches
-- data: bench/coalescing/aligned_access.software.csv
-- data: bench/coalescing/misaligned_access.software.csv
-- data: bench/coalescing/not_consecutive_access.software.csv
-- data: bench/coalescing/not_sequential_access.software.csv
-- data: bench/coalescing/every_fourth_access.software.csv
-- data: bench/coalescing/fp64_access.software.csv
-- data: bench/coalescing/worst_access.software.csv
local cases = {
  {'aligned', 'aligned', 'in[i]'},
  {'misaligned', 'one float further', 'in[i + 1]'},
  {'not_consecutive', 'with a gap', 'in[i + i / 16 * 16]'},
  {'not_sequential', 'out of order', 'in[i * 5 % 32]'},
  {'fp64', 'doubles', 'in[i]'},
  {'every_fourth', 'one in four', 'in[4 * i]'},
  {'worst', 'one in 32', 'in[32 * i]'},
}
local wide, across = d:choose(158, 150), d:choose(177, 172)
local places = d.narrow and
  {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}, {0, 3}, {1, 2}} or
  {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}, {3, 0}}
local down = d:choose(142, 108)
local said = {}
for k, case in ipairs(cases) do
  local request = data.request('coalescing/' .. case[1] .. '_access',
                               {space = 'global', operation = 'load'})
  local x, y = d.left + places[k][1] * across, 2 + places[k][2] * down
  local sectors, bytes = request:sectors(), request:used_bytes()
  d.panel = case[2]
  local waste = 1 - bytes / (32 * sectors)
  d:text(x, y + 9, case[2])
  d:text(x, y + 25, case[3], {size = 'small', role = 'muted'})
  d:text(x, y + 41, {'%d sectors', sectors}, {size = 'small'})
  d:text(x + wide - 2, y + 41, waste > 0 and {'%.0f %% wasted', 100 * waste} or
         'no waste', {size = 'small', align = 'right',
                      role = waste > 0 and 'bad' or 'good'})
  d:line_stack(x, y + 52, wide, request, d:choose(9, 7))
  said[k] = ('%s: %d sectors in %d lines'):format(case[2], sectors,
                                                  request:lines())
end
local x = d.left
local y = d:choose(306, 540)
d:stack_legend(x, y, d:choose(520, d.width - 2 * d.left))
d:alt('Seven stacks of 128-byte lines, a row for each line that one load of a ' ..
  'warp touches. ' .. table.concat(said, '; ') .. '. The last is a tall column ' ..
  'of lines in which a single word of each is used.')
