-- title: Two copies and a kernel, one after the other and at the same time
-- data: bench/hardware/copies.reference.csv
local copies = data.csv('hardware/copies')
local function time(version) return copies:one{version = version}.time_us end
local send, receive, kernel = time('to_device'), time('to_host'), time('kernel')
local one, all = time('one_stream'), time('all_at_once')
local label = d:choose(96, 0)
local x, w = d.left + label, d.width - 2 * d.left - label - 6
local scale = w / one
local looks = {send = {fill = 'load', tint = 0.7},
               receive = {fill = 'store', tint = 0.7},
               kernel = {fill = 'good', tint = 0.7}}

local function bar(name, y, from, long, look, said)
  if d.narrow then said = name
  else d:text(x - 10, y + 11, name, {size = 'small', align = 'right'}) end
  d:rect(x + from * scale, y, long * scale - 1, 22, look)
  d:fit(x + from * scale, y, long * scale - 1, 22, said, {size = 'small'})
end
local function ms(us) return {'%s ms', number(us / 1000)} end
local function finish(y, below, us, said)
  local at = x + us * scale
  d:line(at, y, at, below, {line = 'muted', dash = '3 3'})
  d:text(at - 4, below + 8, {said, number(us / 1000)},
         {size = 'small', align = 'right'})
end

local y = 2
d:text(d.left, y + 9, 'One stream: each waits for the one before')
y = y + 24
bar('to the device', y, 0, send, looks.send, ms(send))
bar('kernel', y + 26, send, kernel, looks.kernel, ms(kernel))
bar('to the host', y + 52, send + kernel, receive, looks.receive, ms(receive))
finish(y, y + 78, one, '%s ms')
y = y + 112
d:text(d.left, y + 9, 'Three streams: all at once')
y = y + 24
bar('to the device', y, 0, all, looks.send, 'to the device')
bar('kernel', y + 26, 0, kernel, looks.kernel, 'kernel')
bar('to the host', y + 52, 0, all, looks.receive, 'to the host')
finish(y, y + 78, all, '%s ms')
d:alt(('Two timelines of the same scale. In one stream a copy to the device, a '
  .. 'kernel and a copy to the host follow each other and take %s ms. In three '
  .. 'streams they overlap and end after %s ms.')
  :format(number(one / 1000), number(all / 1000)))
