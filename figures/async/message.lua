-- title: A release and an acquire put the write before the read
-- data: bench/async/messages.reference.csv
local messages = data.csv('async/messages')
local loose = messages:one{version = 'release_only'}
local w = d:choose(250, 150)
local left, right = d.left, d.width - d.left - w
local high, gap = 34, 26
local size = d:choose('text', 'tiny')
local y = 40
d:text(left + w / 2, 16, 'block 0 writes', {align = 'middle'})
d:text(right + w / 2, 16, 'block 1 reads', {align = 'middle'})
local function step(x, at, said, role, tint)
  d:rect(x, at, w, high, {fill = role, tint = tint, radius = 4})
  d:fit(x, at, w, high, said, {size = size})
end
local second = y + high + gap
step(left, y, 'data = 42', 'store', 0.35)
step(left, second, d:choose('flag: store, release', 'store flag, release'),
     'store', 0.7)
local third = second + high + gap
step(right, third, d:choose('flag: load, acquire', 'load flag, acquire'),
     'load', 0.7)
step(right, third + high + gap, 'read data', 'load', 0.35)
d:arrow({left + w / 2, y + high + 2, left + w / 2, second - 2}, {line = 'ink'})
d:arrow({right + w / 2, third + high + 2, right + w / 2, third + high + gap - 2},
        {line = 'ink'})
d:arrow({left + w + 2, second + high / 2, right + w * 0.25, second + high / 2,
         right + w * 0.25, third - 2}, {line = 'emphasis', weight = 2})
local middle = (left + w + right) / 2
if not d.narrow then
  d:text(middle, second + high / 2 - 12, 'seen',
         {size = 'small', align = 'middle', role = 'emphasis'})
end
local note = third + high / 2
d:paragraph(left, note - 8, d:choose(w, w),
            'Nothing above a release may move below it, nothing below an ' ..
            'acquire above it.', {size = d:choose('small', 'tiny'),
                                  role = 'muted'})
local low = third + 2 * high + gap + d:choose(26, 44)
d:text(left, low, {d:choose('Without the acquire, %s of %s messages were ' ..
  'read too early.', 'No acquire: %s of %s too early'), grouped(loose.n_stale),
  grouped(loose.n_messages)}, {size = d:choose('small', 'tiny'), role = 'bad'})
d.height = low + 16
d:alt('Two columns of steps. Block 0 stores the data, then stores the flag ' ..
  'with release. An arrow leads from there to block 1, which loads the flag ' ..
  'with acquire and then reads the data: three arrows in a row, from the ' ..
  'write of the data to its read.')
