-- What paper shows of a stepped listing, and a page without scripts: the first
-- warp's instructions in their order, and its request that wastes the most. Rows
-- of the recording (build/book/stepper); book/stepper/draw runs it.

local first = {block_x = 0, block_y = 0, block_z = 0, warp = 0}
local trace = data.software('steps/trace'):select(first)

-- ---- What each instruction touched ----------------------------------------------

local requests = {}
for _, space in ipairs {'global', 'shared'} do
  local wanted = {space = space}
  for key, value in pairs(first) do wanted[key] = value end
  if data.software('steps/access'):has(wanted) then
    for _, request in ipairs(data.requests('steps/access', wanted)) do
      requests[request.lanes[1].step] = request
    end
  end
end

local function pieces(request, bytes)
  local n = 0
  for _ in pairs(request:pieces(bytes)) do n = n + 1 end
  return n
end

-- What a request costs, and the least that its bytes could cost.
local function price(request)
  if request.space == 'shared' then
    return request:wavefronts(), math.max(1, (pieces(request, 4) + 31) // 32)
  end
  return request:sectors(), math.max(1, (request:used_bytes() + 31) // 32)
end

local function lanes(mask)
  local n, bits = 0, tonumber(mask, 16)
  while bits > 0 do n, bits = n + bits % 2, bits // 2 end
  return math.floor(n)
end

local kinds = {plain = 'muted', global = 'result', shared = 'working',
               conflict = 'conflict', barrier = 'partial'}

local function kind(row)
  local request = requests[row.step]
  if not request then
    return row.opcode:find('^bar') and 'barrier' or 'plain'
  end
  if request.space == 'global' then return 'global' end
  local cost, least = price(request)
  return cost > least and 'conflict' or 'shared'
end

-- ---- The timeline ---------------------------------------------------------------

local w, high = d.width - 2 * d.left, d:choose(64, 48)
local y, seen = 2, {}
d:text(d.left, y + 9, {d:choose('Warp 0: its %d instructions in order; the height is '
  .. 'the number of lanes', 'Warp 0: %d instructions; height: lanes'), #trace},
  {size = 'small', role = 'muted'})
y = y + 20
d:rect(d.left, y, w, high, {fill = 'cell', tint = 0.45})
-- Neighbours that look alike are one box.
local each, from = w / #trace, 1
local function look(row) return kind(row), lanes(row.executed_mask) end
for k = 2, #trace + 1 do
  local what, n = look(trace[from])
  local next_what, next_n
  if trace[k] then next_what, next_n = look(trace[k]) end
  if what ~= next_what or n ~= next_n or what ~= 'plain' then
    seen[what] = true
    local tall = math.max(0.6, n / 32 * high)
    d:rect(d.left + (from - 1) * each, y + high - tall,
           (k - from) * each - math.min(0.3, each / 5), tall,
           {fill = kinds[what]})
    from = k
  end
end
y = y + high + 8
local key = {}
for _, entry in ipairs {{'global', 'global memory'}, {'shared', 'shared memory'},
                        {'conflict', 'bank conflict'}, {'barrier', 'barrier'}} do
  if seen[entry[1]] then
    key[#key + 1] = {{fill = kinds[entry[1]]}, entry[2]}
  end
end
if #key > 0 then y = d:legend(d.left, y, w, key) + 10 end

-- ---- The worst request ------------------------------------------------------------

local worst, most, cost, least
for k = 1, #trace do
  local request = requests[trace[k].step]
  if request then
    local c, l = price(request)
    if not most or c - l > most or (c - l == most and c > cost) then
      worst, most, cost, least = request, c - l, c, l
    end
  end
end
local said = ''
if worst then
  local unit = worst.space == 'shared' and 'wavefront' or 'sector'
  if cost ~= 1 then unit = unit .. 's' end
  local what = string.format('Line %d: %d %s %s %s memory', worst.line,
    #worst.lanes, #worst.lanes == 1 and 'lane' or 'lanes',
    ({load = 'load from', store = 'store to', atomic = 'update'})[worst.operation],
    worst.space)
  if #worst.lanes == 1 then
    what = what:gsub('load from', 'loads from'):gsub('store to', 'stores to')
               :gsub('update', 'updates')
  end
  local price_said = string.format(most > 0 and '%d %s where %d would do' or
    '%d %s, the fewest possible', cost, unit, least)
  y = d:heading(d.left, y, w, what, price_said, most > 0 and 'bad' or 'good', 'small')
  y = y + 6
  if worst.space == 'shared' then
    d:ledger(d.left, y, w, worst)
  else
    y = d:line_stack(d.left, y, d:choose(420, w), worst, d:choose(9, 7))
    d:stack_legend(d.left, y + 8, w)
  end
  said = string.format(' The request that wastes the most: %s%s, %s.',
                       what:sub(1, 1):lower(), what:sub(2), price_said)
end
d:alt(string.format('Columns for the %d instructions of warp 0, as tall as the ' ..
  'number of lanes that execute them.%s', #trace, said))
