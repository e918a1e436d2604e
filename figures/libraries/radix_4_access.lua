-- title: Banks that one warp of the radix-4 transform hits between two passes
-- data: bench/libraries/radix_4_access.software.csv
local places, said, below = d:columns(2), {}, 2
for k, case in ipairs {
    {'libraries/radix_4_access',
     {space = 'shared', operation = 'store', warp = 0}, 1, 'its first store'},
    {'libraries/radix_4_access',
     {space = 'shared', operation = 'load', warp = 0}, 1, 'its first load'}} do
  local place = places[k]
  local y = d.narrow and below or 2
  local request = data.request(case[1], case[2], case[3])
  local passes = request:wavefronts()
  y = d:heading(place.x, y, place.w, case[4],
                {passes == 1 and '%d wavefront' or '%d wavefronts', passes},
                passes > 2 and 'conflict' or 'good')
  below = math.max(below, d:ledger(place.x, y, place.w, request,
    passes > 2 and 'conflict' or 'lane') + 12)
  said[k] = ('%s: %d rows'):format(case[4], passes)
end
d:alt('Two tables with a row for each wavefront and a column for each of 32 ' ..
  'banks. ' .. table.concat(said, '; ') .. '.')
