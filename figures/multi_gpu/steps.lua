-- title: What two GPUs do during two steps, in three versions
-- data: bench/multi_gpu/strong.referencex2.csv
-- The order is that of the listings; the lengths are not to scale.
local x0 = d.left + d:choose(128, 0)
local w = d.width - d.left - x0
local unit = w / 100
local high = d:choose(20, 18)
local kinds = {
  inner = {fill = 'gpu', tint = 0.35}, edge = {fill = 'gpu', tint = 0.85},
  send = {fill = 'store', tint = 0.6}, wait = {fill = 'cell'},
}
local function row(y, parts)
  for _, part in ipairs(parts) do
    d:rect(x0 + part[1] * unit, y, (part[2] - part[1]) * unit - 1.5, high,
           kinds[part[3]])
  end
end
local versions = {
  {'copies', 'compute, send, wait for both', {
    {{0, 34, 'inner'}, {34, 44, 'send'}, {44, 50, 'wait'},
     {50, 84, 'inner'}, {84, 94, 'send'}, {94, 100, 'wait'}}}},
  {'overlap', 'a stream for the edges', {
    {{0, 4, 'edge'}, {4, 16, 'send'}, {16, 36, 'wait'}, {36, 40, 'edge'},
     {40, 52, 'send'}, {52, 72, 'wait'}},
    {{0, 34, 'inner'}, {34, 36, 'wait'}, {36, 70, 'inner'},
     {70, 72, 'wait'}}}},
  {'flags', 'edges first, in one kernel', {
    {{0, 4, 'edge'}, {4, 34, 'inner'}, {34, 35, 'wait'}, {35, 39, 'edge'},
     {39, 69, 'inner'}, {69, 70, 'wait'}}}},
}
local y = 4
for _, version in ipairs(versions) do
  if d.narrow then
    d:text(d.left, y + 8, version[1])
    y = y + 20
  else
    d:text(d.left, y + 8, version[1])
    d:paragraph(d.left, y + 16, 122, version[2],
                {size = 'tiny', role = 'muted'})
  end
  for _, parts in ipairs(version[3]) do
    row(y, parts)
    y = y + high + 3
  end
  y = y + d:choose(#version[3] > 1 and 14 or 28, 14)
end
y = d:legend(x0, y, w, {{kinds.edge, 'edge rows'}, {kinds.inner, 'other rows'},
                        {kinds.send, 'halos travel'}, {kinds.wait, 'idle'}})
d:text(x0, y + 8, d:choose('Time runs to the right; two steps of one GPU, ' ..
       'not to scale.', 'Two steps of one GPU, not to scale.'),
       {size = 'small', role = 'muted'})
d:alt('Three rows of bars for two steps of one GPU. With copies, the GPU ' ..
      'computes, sends and waits in turn. With overlap, the halos travel in ' ..
      'a second stream while the other rows are computed. With flags, one ' ..
      'kernel does the edge rows first and hardly waits.')
