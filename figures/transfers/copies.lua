-- title: How an array gets to the device from five kinds of host memory
-- data: bench/transfers/ways.reference.csv
local ways = data.csv('transfers/ways')
local function rate(version)
  return ways:one{version = version, direction = 'in'}.gb_per_s
end
-- Where the array is; who takes it on, by stretches between the four stations
-- (the array, a pinned buffer, the device's memory, the kernel).
local kinds = {
  {'pageable', 'pageable', {{1, 2, 'CPU copies', 'cpu'},
                            {2, 3, 'copy engine', 'gpu'}}},
  {'pinned', 'pinned', {{1, 3, 'copy engine', 'gpu'}}},
  {'mapped', 'mapped', {{1, 4, 'each load of the kernel', 'load'}}},
  {'managed, prefetched', 'prefetch', {{1, 3, 'driver moves pages', 'gpu'}}},
  {'managed', 'managed', {{1, 3, 'driver, page fault by page fault', 'bad'}}},
}
local names = {d:choose('array on the host', 'array'),
               d:choose('pinned buffer', 'buffer'),
               d:choose('device memory', 'device'), 'kernel'}
local right = d:choose(86, 58)
local box = d:choose(88, 44)
local gap = (d.width - 2 * d.left - right - 4 * box) / 3
local function left(k) return d.left + (k - 1) * (box + gap) end
local top, high, step = 24, 26, d:choose(56, 62)

for k, name in ipairs(names) do
  d:text(left(k) + box / 2, 10, name,
         {size = 'small', align = 'middle', role = 'muted'})
end
d:text(d.width - d.left, 10, 'GB/s',
       {size = 'small', align = 'right', role = 'muted'})
for i, kind in ipairs(kinds) do
  local y = top + (i - 1) * step + d:choose(14, 18)
  local middle = y + high / 2
  d:text(d.left, y - 9, kind[1], {size = 'small'})
  local stops = {[1] = true, [3] = kind[2] ~= 'mapped', [4] = true}
  for _, way in ipairs(kind[3]) do stops[way[2]] = true end
  for k = 1, 4 do
    if stops[k] then
      d:rect(left(k), y, box, high,
             {fill = k == 1 and 'cpu' or k == 2 and 'partial' or
              k == 3 and 'gpu' or 'result', tint = 0.25, radius = 3})
    end
  end
  for _, way in ipairs(kind[3]) do
    local from, to = left(way[1]) + box, left(way[2])
    d:arrow({from + 2, middle, to - 2, middle}, {line = way[4], weight = 2})
    -- Below the arrow on a phone, where words need more space than it has.
    local place = d.narrow and kind[2] == 'pageable' and
                  (way[1] == 1 and from - 44 or from - 6) or (from + to) / 2
    d:text(place, d:choose(middle - 9, y + high + 9), way[3],
           {size = 'tiny', align = d.narrow and kind[2] == 'pageable' and
            'left' or 'middle', halo = true})
  end
  if stops[3] then
    d:arrow({left(3) + box + 2, middle, left(4) - 2, middle},
            {line = 'load', weight = 1})
  end
  d:text(d.width - d.left, middle, {'%.1f', rate(kind[2])}, {align = 'right'})
end
d:alt(('Five rows of boxes and arrows from an array in host memory to the ' ..
  'kernel. Pageable: a CPU core copies into a pinned buffer, the copy engine ' ..
  'goes on from there, %.1f GB/s. Pinned: the copy engine alone, %.1f. Mapped: ' ..
  'the loads of the kernel go to the host, %.1f. Managed and prefetched: the ' ..
  'driver moves pages, %.1f. Managed: it moves them fault by fault, %.1f.')
  :format(rate('pageable'), rate('pinned'), rate('mapped'), rate('prefetch'),
          rate('managed')))
