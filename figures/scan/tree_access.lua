-- title: Banks that one warp hits in the tree, without and with unused words
-- data: bench/scan/blelloch_access.software.csv
-- data: bench/scan/padded_access.software.csv
-- The fifth step up: 32 nodes, each 32 words after the one before.
local places, said, below = d:columns(2), {}, 2
for k, case in ipairs {
    {'scan/blelloch_access',
     {space = 'shared', operation = 'load', warp = 0}, 9, 'plain, fifth step up'},
    {'scan/padded_access',
     {space = 'shared', operation = 'load', warp = 0}, 9, 'padded'}} do
  local place = places[k]
  local y = d.narrow and below or 2
  local request = data.request(case[1], case[2], case[3])
  local passes = request:wavefronts()
  y = d:heading(place.x, y, place.w, case[4],
                {passes == 1 and '%d wavefront' or '%d wavefronts', passes},
                passes > 1 and 'conflict' or 'good')
  below = math.max(below, d:ledger(place.x, y, place.w, request,
    passes > 1 and 'conflict' or 'lane') + 12)
  said[k] = ('%s: %d rows'):format(case[4], passes)
end
d:alt('Two tables with a row for each wavefront and a column for each of 32 ' ..
  'banks. ' .. table.concat(said, '; ') .. '.')
