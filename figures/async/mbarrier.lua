-- title: The phases of an mbarrier that expects one arrival and counts bytes
-- data: bench/async/copies.reference.csv
-- One column per moment: what has just happened, and what is still missing.
local copy = data.csv('async/copies'):one{version = 'box'}
local bytes = copy.copy_bytes
local moments = {
  {said = 'init', arrivals = 1, halves = 0},
  {said = 'expect', arrivals = 0, halves = 2},
  {said = 'bytes', arrivals = 0, halves = 1},
  {said = d:choose('last bytes', 'last'), arrivals = 1, halves = 0},
  {said = 'expect', arrivals = 0, halves = 2},
  {said = 'bytes', arrivals = 0, halves = 1},
}
local size = d:choose('small', 'tiny')
local x0 = d.left + d:choose(138, 68)
local w = (d.width - d.left - x0) / #moments
local high, gap, half = d:choose(24, 20), 8, 22

local function name(y, said)
  d:text(x0 - 8, y, said, {size = size, align = 'right'})
end
local function at(i) return x0 + (i - 1) * w end

-- What happened
local y = 12
name(y, d:choose('what happened', 'event'))
for i, m in ipairs(moments) do
  d:text(at(i) + w / 2, y, m.said, {size = size, align = 'middle'})
end

-- Arrivals
y = y + 16
name(y + high / 2, d:choose('missing arrivals', 'arrivals'))
for i, m in ipairs(moments) do
  local fill = m.arrivals > 0 and 'emphasis' or 'cell'
  d:rect(at(i) + 1, y, w - 2, high, {fill = fill, radius = 3,
         tint = m.arrivals > 0 and 0.5 or 1})
  d:fit(at(i), y, w, high, {'%d', m.arrivals}, {size = size})
end

-- Bytes: a bar per moment, and the number below it
y = y + high + gap
local floor = y + 2 * half
name(floor - half + high / 2, d:choose('missing bytes', 'bytes'))
for i, m in ipairs(moments) do
  if m.halves > 0 then
    d:rect(at(i) + 1, floor - m.halves * half, w - 2, m.halves * half,
           {fill = 'load', tint = 0.5})
  end
  d:fit(at(i), floor, w, high, {'%d', bytes * m.halves / 2}, {size = size})
end
d:line(x0, floor, d.width - d.left, floor, {line = 'muted'})

-- Phases
y = floor + high + gap
name(y + high / 2, 'phase')
local function band(from, to, fill, said)
  d:rect(at(from) + 1, y, (to - from + 1) * w - 2, high,
         {fill = fill, tint = 0.5, radius = 3})
  d:fit(at(from), y, (to - from + 1) * w, high, said, {size = size})
end
band(1, 3, 'path_0', 'phase 0, parity 0')
band(4, 6, 'path_1', 'phase 1, parity 1')

-- Who waits
local function waits(from, to, said)
  d:rect(at(from) + 1, y, (to - from + 1) * w - 2, high,
         {fill = 'wasted', tint = 0.25, radius = 3})
  d:fit(at(from), y, (to - from + 1) * w, high, said, {size = size})
end
y = y + high + gap
name(y + high / 2, 'wait(0)')
waits(2, 3, {d:choose('waits, %.0f cycles', 'waits'), copy.latency_cycles})
d:fit(at(4), y, 3 * w, high, d:choose('goes on: phase 0 is over', 'goes on'),
      {size = size})
y = y + high + gap
name(y + high / 2, 'wait(1)')
d:fit(at(1), y, 3 * w, high,
      d:choose('returns at once: no phase before 0', 'returns at once'),
      {size = size})
waits(4, 6, 'waits')
d.height = y + high + 4
d:line(at(4), 24, at(4), y + high, {line = 'ink', dash = true})
d:alt(('Six moments in the life of an mbarrier, from left to right. After ' ..
  'init one arrival and no byte is missing. After expect no arrival is ' ..
  'missing but %d bytes are; as they come, the bar shrinks. The last bytes ' ..
  'end phase 0: one arrival is missing again, and phase 1 goes the same way. ' ..
  'A thread that waits for parity 0 waits until the end of phase 0, %.0f ' ..
  'cycles for a box in L2. One that waits for parity 1 goes on at once ' ..
  'during phase 0 and waits during phase 1.')
  :format(bytes, copy.latency_cycles))
