-- title: The host goes on while the kernel runs, until it asks to wait
-- data: bench/measuring/ways.reference.csv
local n = 4194304
local ways = data.csv('measuring/ways')
local function time(version)
  return ways:one{version = version, n_elems = n}.time_us
end
local launched, waited, ran = time('host_alone'), time('host_waits'),
                              time('events')
local total = waited * 1.06
local x, w = d.left + d:choose(60, 0), d.width - 2 * d.left - d:choose(60, 0)
local function at(us) return x + us / total * w end

local y = d:choose(2, 18)
local function lane(name, top)
  if d.narrow then
    d:text(d.left, top - 8, name, {size = 'small', role = 'muted'})
  else
    d:text(x - 10, top + 14, name, {align = 'right', role = 'muted'})
  end
end
local host, device = y + 26, y + d:choose(108, 122)
lane('host', host)
lane('device', device)
-- Only the kernel's length is measured.  It is drawn to end with the wait.
local start = waited - ran
d:rect(at(0), host, at(launched) - at(0), 28, {fill = 'cpu'})
d:fit(at(0), host, at(launched) - at(0), 28, 'launch',
      {size = 'small', role = 'paper'})
d:rect(at(launched), host, at(waited) - at(launched), 28,
       {fill = 'cell', tint = 0.7})
d:fit(at(launched), host, at(waited) - at(launched), 28,
      d:choose('cudaDeviceSynchronize() waits', 'cudaDeviceSynchronize()'),
      {size = 'small'})
d:rect(at(start), device, at(waited) - at(start), 28, {fill = 'gpu', tint = 0.4})
d:fit(at(start), device, at(waited) - at(start), 28,
      {'the kernel runs: %s µs', number(ran)}, {size = 'small'})
d:arrow({at(math.min(launched, start)), host + 28, at(start), device - 1},
        {line = 'emphasis'})
d:text(at(launched) + 8, host + 42,
       {d:choose('the launch has returned after %s µs: the host could do other work here',
                 'launched after %s µs'), number(launched, 2)},
       {size = 'small'})
d:line(at(waited), host - 4, at(waited), device + 32,
       {line = 'muted', dash = '3 3'})
d:text(at(waited) - 6, host - 10, {'both are done: %s µs', number(waited)},
       {size = 'small', align = 'right'})
d:alt(('Two rows over the same time. The host launches a kernel, which takes '
  .. '%s µs, and waits for the rest of %s µs. The device runs the kernel '
  .. 'during almost all of that wait.')
  :format(number(launched, 2), number(waited)))
