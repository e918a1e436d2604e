-- title: Neighbouring words of 4, 8 and 16 bytes, and the banks that hold them
-- data: bench/shared_memory/own_access.software.csv
local y, w, said = 2, d.width - 2 * d.left, {}
for launch = 1, 3 do
  local request = data.request('shared_memory/own_access',
    {space = 'shared', operation = 'load', launch = launch})
  local passes, bytes = request:wavefronts(), request.lanes[1].bytes
  y = d:heading(d.left, y, w, {'words of %d bytes', bytes},
                {passes == 1 and '%d wavefront' or '%d wavefronts', passes},
                'lane')
  y = d:ledger(d.left, y, w, request, 'lane') + d:choose(12, 14)
  said[launch] = ('words of %d bytes: %d rows, %d banks for each lane')
    :format(bytes, passes, bytes // 4)
end
d:alt('Three tables with a row for each wavefront and a column for each of ' ..
  '32 banks. ' .. table.concat(said, '; ') .. '. Every row is full: no bank ' ..
  'is idle, so these further wavefronts are not conflicts.')
