-- title: The way of a launch, and what three clocks see of it
-- data: bench/measuring/least.reference.csv
-- data: bench/measuring/queue.reference.csv
-- data: bench/hardware/query.reference.csv
local least = data.csv('measuring/least')
local function time(version, work)
  return least:one{version = version, work = work}.time_us
end
local n_sm = data.csv('hardware/query'):one{device = 0,
  name = 'multiProcessorCount'}.value
-- At the end the queue is full, and a call takes as long as a kernel.  What
-- the GPU still has to do when the last call returns is what the queue holds.
local rows = data.csv('measuring/queue').rows
local last = rows[#rows]
local waiting = (last.finished_us - last.returned_us) / last.call_us
local places = 100 * math.floor(waiting / 100 + 0.5)

local stations = {
  {'cpu', 'your program', 'asks for a kernel'},
  {'cpu', 'driver', 'writes a command'},
  {'cell', 'queue', {d:choose('some %d places', '%d places'), places}},
  {'gpu', 'front end', 'takes it out'},
  {'gpu', 'block scheduler', 'deals out blocks'},
  {'gpu', {'%d SMs', n_sm}, 'run them'},
}
local spans = {
  {1, 2, 'cpu', 'host alone', time('host_alone', 'empty_kernel')},
  {2, 6, 'emphasis', 'events', time('events', 'empty_kernel')},
  {1, 6, 'cpu', 'waiting host', time('host_waits', 'empty_kernel')},
}
local said = {}
for i, span in ipairs(spans) do
  said[i] = string.format('%s %s µs', span[4], number(span[5]))
end

local function station(x, y, w, h, what)
  d:rect(x, y, w, h, {fill = what[1], tint = what[1] == 'cell' and 1 or 0.3,
                      radius = 4})
  d:fit(x, y + 3, w, h / 2 - 3, what[2], {size = 'small'})
  -- On the colour of a cell, muted letters would hardly stand out.
  d:fit(x, y + h / 2, w, h / 2 - 3, what[3],
        {size = 'tiny', role = what[1] ~= 'cell' and 'muted' or nil})
end

if not d.narrow then
  local gap, high, y = 14, 46, 8
  local w = (d.width - 2 * d.left - 5 * gap) / 6
  local function at(i) return d.left + (i - 1) * (w + gap) end
  for i, what in ipairs(stations) do
    station(at(i), y, w, high, what)
    if i > 1 then
      d:arrow({at(i) - gap + 1, y + high / 2, at(i) - 1, y + high / 2},
              {line = 'ink'})
    end
  end
  local back = y + high + 16
  d:path({at(6) + w / 2, y + high + 1, at(6) + w / 2, back,
          at(1) + w / 2, back}, {line = 'muted'})
  d:arrow({at(1) + w / 2, back, at(1) + w / 2, y + high + 1},
          {line = 'muted'})
  d:text(at(3) + w / 2, back + 10, 'the kernel is done',
         {size = 'tiny', role = 'muted', align = 'middle'})
  local line = back + 32
  for i, span in ipairs(spans) do
    local from, to = at(span[1]), at(span[2]) + w
    d:line(from, line, to, line, {line = span[3], weight = 2})
    d:line(from, line - 5, from, line + 5, {line = span[3], weight = 2})
    d:line(to, line - 5, to, line + 5, {line = span[3], weight = 2})
    d:text((from + to) / 2, line + 12, {i == 3 and
      '%s: %s µs, there and back' or '%s: %s µs', span[4], number(span[5])},
      {size = 'small', align = 'middle'})
    line = line + 34
  end
  d.height = line - 10
else
  local gap, high, w = 12, 40, 136
  local x = d.width - d.left - w
  local function at(i) return 4 + (i - 1) * (high + gap) end
  for i, what in ipairs(stations) do
    station(x, at(i), w, high, what)
    if i > 1 then
      d:arrow({x + w / 2, at(i) - gap + 1, x + w / 2, at(i) - 1},
              {line = 'ink'})
    end
  end
  for i, span in ipairs(spans) do
    local across = x - ({14, 76, 122})[i]
    local from, to = at(span[1]), at(span[2]) + high
    d:line(across, from, across, to, {line = span[3], weight = 2})
    d:line(across - 5, from, across + 5, from, {line = span[3], weight = 2})
    d:line(across - 5, to, across + 5, to, {line = span[3], weight = 2})
    -- The events' label has space on the right, below that of the host alone.
    local at_text = i == 2 and across + 7 or across - 8
    local side = i == 2 and 'left' or 'right'
    d:text(at_text, (from + to) / 2 - 8, span[4], {size = 'small', align = side})
    d:text(at_text, (from + to) / 2 + 8, {'%s µs', number(span[5])},
           {size = 'small', align = side})
  end
end
d:alt(('Six stations of a launch: your program asks for a kernel, the driver ' ..
  'writes a command, a queue of some %d places keeps it, the front end of the ' ..
  'GPU takes it out, the block scheduler deals out its blocks, and %d SMs run ' ..
  'them; then the news goes back to the program. Below, what three clocks see ' ..
  'of it for an empty kernel: %s. The host alone covers the first two ' ..
  'stations, the events all but the first, the waiting host everything.'):format(
  places, n_sm, table.concat(said, ', ')))
