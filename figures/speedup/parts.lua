-- title: The serial and the parallel part of a program on more and more threads
-- data: bench/speedup/same.reference.csv
local runs = data.csv('speedup/same'):select{n_steps = 16}
local first = runs[1]
local size = d:choose('small', 'tiny')
local x0, tail = d.left + d:choose(70, 56), d:choose(64, 48)
local w = d.width - d.left - tail - x0
local whole = first.serial_us + first.parallel_us
local function wide(us) return us / whole * w end
local high, y, said = 22, 24, {}
d:text(d.left, 10, d:choose('time of the whole program', 'time of a program'),
       {size = size})
d:text(d.width - d.left, 10, 'speed-up', {size = size, align = 'right',
                                         role = 'muted'})
for _, run in ipairs(runs) do
  d:text(x0 - 8, y + high / 2, {run.n_threads == 1 and '%d thread' or '%d threads',
         run.n_threads}, {size = size, align = 'right'})
  local serial = wide(run.serial_us)
  d:rect(x0, y, serial - 1, high, {fill = 'muted', tint = 0.55})
  d:rect(x0 + serial, y, wide(run.parallel_us), high,
         {fill = 'cpu', tint = 0.5})
  d:text(d.width - d.left, y + high / 2, {'%.1f', run.speedup},
         {size = size, align = 'right'})
  said[#said + 1] = ('%d: %.1f'):format(run.n_threads, run.speedup)
  y = y + high + 6
end
-- What is left if the parallel part takes no time at all.
local limit = x0 + wide(first.serial_us)
d:text(x0 - 8, y + high / 2, d:choose('any number', 'any'),
       {size = size, align = 'right'})
d:rect(x0, y, limit - x0 - 1, high, {fill = 'muted', tint = 0.55})
local most = whole / first.serial_us
d:text(d.width - d.left, y + high / 2, {'%.1f', most},
       {size = size, align = 'right', role = 'emphasis'})
d:text(limit + 10, y + high / 2, d:choose('the serial part remains: the limit',
       'the serial part remains'), {size = size, role = 'emphasis'})
y = d:legend(x0, y + high + 12, w, {
  {{fill = 'muted', tint = 0.55}, 'serial'},
  {{fill = 'cpu', tint = 0.5}, d:choose('in parallel', 'parallel')}}, size)
d:alt(('Bars for the time of a program on 1 to %d cores, each of a serial and ' ..
  'a parallel part. The parallel part shrinks from bar to bar, the serial part ' ..
  'is equally long in all. Speed-ups by threads: %s. A last bar has the serial ' ..
  'part alone, a speed-up of %.1f.'):format(runs[#runs].n_threads,
  table.concat(said, '; '), most))
