-- title: Who asks whether the grid has converged
-- data: bench/streams/converge.reference.csv
local loop = data.csv('streams/converge'):one{version = 'host_loop',
                                              steps_per_round = 10}
local columns = d:columns(2)
local second = d:choose(0, 190)
local function yof(k) return k == 2 and second or 2 end
local c = columns[1]
local bh = 24
local function box(x, y, w, said, role)
  d:box(x, y, w, bh, said, {fill = role, size = 'small'})
end
local gap = 30
local function chain(x, y, w, names, roles)
  for k, name in ipairs(names) do
    box(x, y + (k - 1) * (bh + gap - 12), w, name, roles[k])
    if k > 1 then
      local at = y + (k - 1) * (bh + gap - 12)
      d:arrow({x + w / 2, at - gap + 12, x + w / 2, at}, {line = 'muted'})
    end
  end
  return y + #names * (bh + gap - 12) - gap + 12
end
d:text(c.x, yof(1) + 8, 'The host asks', {size = 'text'})
local w = c.w * 0.42
local hx, gx, top = c.x, c.x + c.w - w - 4, yof(1) + 48
d:text(hx + w / 2, top - 16, 'CPU', {size = 'small', align = 'middle',
                                     role = 'muted'})
d:text(gx + w / 2, top - 16, 'GPU', {size = 'small', align = 'middle',
                                     role = 'muted'})
local bottom = chain(gx, top, w, {'steps', 'largest change', 'copy out'},
                     {'arithmetic', 'arithmetic', 'load'})
box(hx, top, w, {'%d launches', loop.n_rounds}, 'cpu')
box(hx, bottom - bh, w, 'converged?', 'cpu')
d:arrow({hx + w, top + bh / 2, gx, top + bh / 2}, {line = 'emphasis'})
d:arrow({gx, bottom - bh / 2, hx + w, bottom - bh / 2}, {line = 'emphasis'})
d:arrow({hx + w / 2, bottom - bh, hx + w / 2, top + bh}, {line = 'emphasis'})
d:text(hx + w / 2 + 6, (top + bottom) / 2, 'no', {size = 'small'})
c = columns[2]
d:text(c.x, yof(2) + 8, 'The graph asks', {size = 'text'})
hx, gx, top = c.x, c.x + c.w - w - 14, yof(2) + 48
d:text(hx + w / 2, top - 16, 'CPU', {size = 'small', align = 'middle',
                                     role = 'muted'})
d:text(gx + w / 2, top - 16, 'GPU: a WHILE node',
       {size = 'small', align = 'middle', role = 'muted'})
bottom = chain(gx, top + 4, w, {'steps', 'largest change', 'decide'},
               {'arithmetic', 'arithmetic', 'emphasis'})
d:rect(gx - 12, top - 6, w + 26, bottom - top + 12,
       {line = 'ink', dash = '4 3', radius = 4})
box(hx, top + 4, w - 12, 'one launch', 'cpu')
d:arrow({hx + w - 12, top + 4 + bh / 2, gx, top + 4 + bh / 2},
        {line = 'emphasis'})
d:arrow({gx + w, bottom - bh / 2, gx + w + 8, bottom - bh / 2, gx + w + 8,
         top + 4 + bh / 2, gx + w, top + 4 + bh / 2}, {line = 'emphasis'})
d:alt('On the left, the CPU launches a round of steps; the GPU computes them, ' ..
      'the largest change and a copy out; the CPU asks whether the grid has ' ..
      'converged and, if not, launches the next round. On the right, the CPU ' ..
      'launches once. Steps, largest change and decide sit inside a dashed ' ..
      'box, the WHILE node, and an arrow leads from decide back to steps.')
