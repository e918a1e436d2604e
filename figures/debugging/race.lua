-- title: Stores and loads of shared memory, without and with the barrier
-- data: bench/debugging/race_access.software.csv
-- data: bench/debugging/barrier_access.software.csv
local cases = {{'race', 'without the barrier'},
               {'barrier', 'with __syncthreads()'}}
local places, below, said = d:columns(2, 30), 2, {}
local size = d:choose('small', 'tiny')
local n_words, tall = 64, d:choose(128, 112)
for k, case in ipairs(cases) do
  local place = places[k]
  local y = d.narrow and below or 2
  local requests = data.requests('debugging/' .. case[1] .. '_access',
                                 {space = 'shared'})
  y = d:heading(place.x, y, place.w, case[2]) + 34
  d.panel = nil
  local left, w = place.x + 30, place.w - 30
  local each = w / #requests
  for _, word in ipairs{0, n_words // 2, n_words} do
    local at = y + word / n_words * tall
    d:line(left - 4, at, left + w, at, {line = 'grid'})
    if word < n_words then
      d:text(left - 6, at + 7, {'%d', word},
             {size = 'tiny', align = 'right', role = 'muted'})
    end
  end
  -- Who stored each word last, by the number of the request.
  local stored, early, late = {}, nil, nil
  for i, request in ipairs(requests) do
    if request.operation == 'store' then
      for _, row in ipairs(request.lanes) do stored[row.address // 4] = i end
    end
  end
  for i, request in ipairs(requests) do
    local lowest, highest, too_early = n_words, 0, nil
    for _, row in ipairs(request.lanes) do
      local word = row.address // 4
      lowest, highest = math.min(lowest, word), math.max(highest, word)
      if request.operation == 'load' and stored[word] > i then
        too_early = stored[word]
      end
    end
    local x = left + (i - 1) * each
    local top = y + lowest / n_words * tall
    local high = (highest - lowest + 1) / n_words * tall
    local role = request.operation == 'store' and 'store' or 'load'
    d:rect(x + each * 0.2, top + 1, each * 0.6, high - 2,
           {fill = role, tint = 0.6})
    d:text(x + each / 2, y - 26, {'warp %d', request.warp},
           {size = 'tiny', align = 'middle'})
    d:text(x + each / 2, y - 12, request.operation .. 's',
           {size = 'tiny', align = 'middle', role = role})
    if too_early then
      early, late = {i, x + each * 0.8, top + high / 2}, too_early
    end
  end
  if early then
    local from, middle = early[2], early[3]
    local to = left + (late - 0.8) * each
    d:arrow({from, middle, to, middle}, {line = 'ink', weight = 1.5})
    d:text((from + to) / 2, middle - 11, 'stored later',
           {size = 'tiny', align = 'middle', halo = true})
    early = early[1]
  end
  below = y + tall + 6
  if early then
    said[k] = ('%s, warp %d loads in request %d what warp %d stores in request ' ..
               '%d'):format(case[2], requests[early].warp, early,
                            requests[late].warp, late)
  else
    -- All stores come before all loads: the barrier is between them.
    local n_stores = 0
    for i, request in ipairs(requests) do
      if request.operation == 'store' then n_stores = i end
    end
    local x = left + n_stores * each
    d:line(x, y - 34, x, y + tall + 4, {line = 'ink', weight = 1.5, dash = '4 3'})
    d:text(x, y + tall + 13, 'barrier', {size = 'tiny', align = 'middle'})
    said[k] = ('%s, both warps store before any of them loads'):format(case[2])
  end
  d:text(left + w, y + tall + 13, 'time', {size = 'tiny', align = 'right',
                                           role = 'muted'})
  d:arrow({left + w - 60, y + tall + 13, left + w - 28, y + tall + 13},
          {line = 'muted', head = 5})
  below = y + tall + 32
end
d:alt('Two panels of shared memory with a column for each request of a block: ' ..
  table.concat(said, '; ') .. '.')
