-- title: What three clocks see of one launch
-- data: bench/measuring/ways.reference.csv
local n = 1048576
local ways = data.csv('measuring/ways')
local function time(version)
  return ways:one{version = version, n_elems = n}.time_us
end
local x0, w = d:choose(112, 66), d:choose(590, 268)
local function at(share) return x0 + w * share end
local host, gpu, h = 10, 66, 28
-- Not to scale: shares of the drawing's width.
local launch, first, begins, ends, last, returns = 0.17, 0.25, 0.3, 0.76, 0.81, 0.96

d:text(x0 - 10, host + h / 2, 'host', {align = 'right'})
d:text(x0 - 10, gpu + h / 2, 'GPU', {align = 'right'})
d:line(at(0), host + h / 2, at(1), host + h / 2, {line = 'grid'})
d:line(at(0), gpu + h / 2, at(1), gpu + h / 2, {line = 'grid'})
d:rect(at(0), host, w * launch, h, {fill = 'cpu', tint = 0.5, line = 'cpu'})
d:fit(at(0), host, w * launch, h, 'launch', {size = d:choose('text', 'small')})
d:rect(at(launch), host, w * (returns - launch), h,
       {fill = 'paper', line = 'cpu', dash = '3 3'})
d:fit(at(launch), host, w * (returns - launch), h, d:choose(
        'cudaDeviceSynchronize: waits', 'waits'), {size = 'small'})
d:rect(at(begins), gpu, w * (ends - begins), h,
       {fill = 'gpu', tint = 0.5, line = 'gpu'})
d:fit(at(begins), gpu, w * (ends - begins), h, 'kernel')
for _, event in ipairs {first, last} do
  d:line(at(event), gpu - 4, at(event), gpu + h + 4,
         {line = 'emphasis', weight = 3})
end
d:arrow({at(launch) - 4, host + h, at(begins) - 2, gpu - 2}, {line = 'muted'})
d:arrow({at(ends) + 4, gpu - 2, at(returns) - 4, host + h + 2}, {line = 'muted'})

local y, step = gpu + h + 24, 34
local said = {}
local function clock(name, from, to, version, role)
  d:line(at(from), y, at(to), y, {line = role, weight = 2})
  d:line(at(from), y - 5, at(from), y + 5, {line = role, weight = 2})
  d:line(at(to), y - 5, at(to), y + 5, {line = role, weight = 2})
  d:text(at(from), y + 14, {'%s: %s µs', name, number(time(version))},
         {size = 'small'})
  said[#said + 1] = string.format('%s %s µs', name, number(time(version)))
  y = y + step
end
clock('the host alone', 0, launch, 'host_alone', 'cpu')
clock('the waiting host', 0, returns, 'host_waits', 'cpu')
clock('events', first, last, 'events', 'emphasis')
d:alt('Two lines of time. On the host, a launch and then a wait; on the GPU, ' ..
      'a little later, an event, the kernel and a second event, and the news ' ..
      'goes back to the host. Below, what the three clocks cover: ' ..
      table.concat(said, ', ') .. '.')
