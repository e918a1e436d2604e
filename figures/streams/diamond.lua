-- title: A diamond of four kernels, as two streams and as a graph
-- data: bench/streams/nodes.software.csv
local nodes = data.software('streams/nodes'):select{version = 'captured'}
local edges = 0
for _, node in ipairs(nodes) do edges = edges + node.n_before end
local box_w, box_h, row = d:choose(96, 88), 24, 38
local roles = {'load', 'arithmetic', 'arithmetic', 'arithmetic', 'load', 'cpu'}
local names = {'copy in', 'scale', 'add (left)', 'multiply', 'copy out',
               'finished()'}
local function box(x, y, said, role)
  d:box(x, y, box_w, box_h, said, {fill = role, size = 'small'})
end

-- Two streams, and the events between them.
local x1, x2, top = d.left, d.left + box_w + d:choose(70, 64), 50
d:text(d.left, 10, 'Two streams', {size = 'text'})
d:text(x1 + box_w / 2, 36, 'stream', {size = 'small', align = 'middle',
                                      role = 'muted'})
d:text(x2 + box_w / 2, 36, 'side', {size = 'small', align = 'middle',
                                    role = 'muted'})
local function y_of(k) return top + (k - 1) * row end
local m1, m2 = x1 + box_w / 2, x2 + box_w / 2
for k, name in ipairs(names) do
  box(x1, y_of(k), name, roles[k])
  if k > 1 then
    d:arrow({m1, y_of(k - 1) + box_h, m1, y_of(k)}, {line = 'muted'})
  end
end
box(x2, y_of(3), 'add (right)', 'arithmetic')
local half = box_h / 2
d:arrow({x1 + box_w, y_of(2) + half, m2, y_of(2) + half, m2, y_of(3)},
        {line = 'emphasis', weight = 1.5})
d:arrow({m2, y_of(3) + box_h, m2, y_of(4) + half, x1 + box_w,
         y_of(4) + half}, {line = 'emphasis', weight = 1.5})
d:text(x1 + box_w + 8, y_of(2) + half - 10, 'top_done',
       {size = 'small', role = 'emphasis'})
d:text(x1 + box_w + 8, y_of(4) + half + 11, 'right_done',
       {size = 'small', role = 'emphasis'})

-- The graph: on the right, or below on a phone.
local gx = d:choose(d.width - d.left - 2 * box_w - 30, d.left + 10)
local gy = d:choose(0, y_of(6) + box_h + 30)
d:text(d:choose(gx, d.left), gy + 10, {'A graph of %d nodes and %d edges', #nodes, edges},
       {size = 'text'})
local function g_of(k) return gy + top - 10 + (k - 1) * row end
local l, r = gx, gx + box_w + 30
local middle = (l + r) / 2
local m, ml, mr = middle + box_w / 2, l + box_w / 2, r + box_w / 2
for k, name in ipairs(names) do
  box(k == 3 and l or middle, g_of(k), name, roles[k])
end
box(r, g_of(3), 'add (right)', 'arithmetic')
for _, k in ipairs{1, 4, 5} do
  d:arrow({m, g_of(k) + box_h, m, g_of(k + 1)}, {line = 'ink'})
end
d:arrow({m - 8, g_of(2) + box_h, ml, g_of(3)}, {line = 'ink'})
d:arrow({m + 8, g_of(2) + box_h, mr, g_of(3)}, {line = 'ink'})
d:arrow({ml, g_of(3) + box_h, m - 8, g_of(4)}, {line = 'ink'})
d:arrow({mr, g_of(3) + box_h, m + 8, g_of(4)}, {line = 'ink'})
d:alt('On the left two columns. The first stream holds a copy, scale, add, ' ..
      'multiply, a copy and a host function, one below the other; the second ' ..
      'holds the other add. An arrow named top_done leads from scale to the ' ..
      'second stream, and one named right_done from there back to multiply. ' ..
      'On the right the same boxes as a graph: scale has two successors, and ' ..
      'multiply follows both.')
