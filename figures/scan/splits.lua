-- title: The first three passes of a radix sort
-- data: bench/scan/split_access.software.csv
local n_passes = 3

-- Where each pass puts the key at place i; launches follow one another.
local passes, pass_of = {}, {}
for _, request in ipairs(data.requests('scan/split_access',
    {space = 'global', operation = 'store'})) do
  for _, at in ipairs(request.lanes) do
    local pass = pass_of[at.launch]
    if not pass then
      pass = {}
      passes[#passes + 1] = pass
      pass_of[at.launch] = pass
    end
    pass[at.lane] = at.offset // 4
  end
end
local n = #passes[1] + 1

-- A pass keeps the order on both sides, so the ones begin where the key that
-- comes from further left follows one from further right.
local function ones_of(pass)
  local from, is_one, ones = {}, {}, false
  for i = 0, n - 1 do from[pass[i]] = i end
  for place = 0, n - 1 do
    ones = ones or place > 0 and from[place] < from[place - 1]
    is_one[from[place]] = ones
  end
  return is_one
end

-- key[i]: the lowest bits of the key that is at place i at first.
local key, place_of = {}, {}
for i = 0, n - 1 do key[i], place_of[i] = 0, i end
local places = {[0] = table.move(place_of, 0, n - 1, 0, {})}
for k = 1, n_passes do
  local is_one = ones_of(passes[k])
  for i = 0, n - 1 do
    if is_one[place_of[i]] then key[i] = key[i] + (1 << (k - 1)) end
    place_of[i] = passes[k][place_of[i]]
  end
  places[k] = table.move(place_of, 0, n - 1, 0, {})
end

local function bits(value)
  local said = ''
  for b = n_passes - 1, 0, -1 do said = said .. (value >> b & 1) end
  return said
end

local gap = d:choose(5, 2)
local w = (d.width - 2 * d.left) / n
local high, between = 20, d:choose(46, 40)
local size = d:choose('small', 'tiny')
local function middle(place) return d.left + place * w + (w - gap) / 2 end

local y = 2
local titles = {[0] = 'the keys, by their lowest bit', 'by the second bit',
                'by the third bit', 'sorted by three bits'}
for k = 0, n_passes do
  d:text(d.left, y + 8, titles[k], {size = size, role = 'muted', halo = true})
  y = y + 20
  for i = 0, n - 1 do
    local x = d.left + places[k][i] * w
    local one = key[i] >> k & 1 == 1
    local fill = k == n_passes and 'result' or one and 'path_1' or 'path_0'
    d:rect(x, y, w - gap, high, {fill = fill, tint = 0.45})
    d:fit(x, y, w - gap, high, d:choose(bits(key[i]), ('%d'):format(key[i])),
          {size = size})
  end
  y = y + high
  if k < n_passes then
    for i = 0, n - 1 do
      local one = key[i] >> k & 1 == 1
      d:curve(middle(places[k][i]), y + 2, middle(places[k + 1][i]),
              y + between + 18, {line = one and 'path_1' or 'path_0'})
    end
    y = y + between
  end
end
local first, last = {}, {}
for i = 0, n - 1 do
  first[places[0][i] + 1] = bits(key[i])
  last[places[n_passes][i] + 1] = bits(key[i])
end
d:alt(('%d keys in %d rows, each shown by its lowest three bits. From row to ' ..
  'row, the keys with a zero in one bit move to the left and those with a one ' ..
  'to the right, and each side keeps its order. The first row is %s; the last ' ..
  'row is %s.'):format(n, n_passes + 1, table.concat(first, ' '),
  table.concat(last, ' ')))
