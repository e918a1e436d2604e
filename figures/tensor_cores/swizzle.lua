-- title: Banks that one ldmatrix reads, plain and swizzled
-- data: bench/tensor_cores/plain_access.software.csv
-- data: bench/tensor_cores/swizzled_access.software.csv
local places, below, said = d:columns(2), 2, {}
for k, name in ipairs {'plain', 'swizzled'} do
  local place = places[k]
  local request = data.request('tensor_cores/' .. name .. '_access',
                               {space = 'shared', operation = 'load'}, 1)
  local used = data.words('tensor_cores/' .. name .. '_access',
                          {space = 'shared'})
  for word in pairs(used) do    -- the 16 rows that this ldmatrix looks into
    if word >= 16 * 32 then used[word] = nil end
  end
  local passes = request:wavefronts()
  local y = d:heading(place.x, d.narrow and below or 2, place.w, name,
                      {'%d wavefronts', passes},
                      k == 1 and 'conflict' or 'good')
  below = math.max(below, d:bank_map(place.x, y, place.w, request, used) + 12)
  said[k] = ('%s, %d wavefronts'):format(name, passes)
end
d:alt('Two maps of shared memory, a row for every 32 words and a column for ' ..
  'each bank, with the words that one ldmatrix of a warp reads: ' ..
  table.concat(said, '; ') .. '. Plain, they are in the same eight banks; ' ..
  'swizzled, they are spread over all 32.')
