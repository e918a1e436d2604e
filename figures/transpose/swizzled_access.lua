-- title: Banks that one warp hits in the swizzled tile
-- data: bench/transpose/swizzled_access.software.csv
local map, warp = 'transpose/swizzled_access', 5
local places, below, said = d:columns(2), 2, {}
local used = data.words(map, {space = 'shared'})
for k, operation in ipairs {'store', 'load'} do
  local place = places[k]
  local request = data.request(map, {space = 'shared', operation = operation,
                                     warp = warp})
  local passes = request:wavefronts()
  local what = ('warp %d %ss %s %d'):format(warp, operation,
                 k == 1 and 'row' or 'column', warp)
  local y = d:heading(place.x, d.narrow and below or 2, place.w, what,
    {passes == 1 and '%d wavefront' or '%d wavefronts', passes},
    passes > 1 and 'conflict' or 'good')
  below = math.max(below, d:bank_map(place.x, y, place.w, request, used) + 12)
  said[k] = ('%s, %d %s'):format(what, passes,
              passes == 1 and 'wavefront' or 'wavefronts')
end
d:alt('Two maps of shared memory, a row for every 32 words and a column for ' ..
  'each bank, with the words of one request marked: ' ..
  table.concat(said, '; ') .. '.')
