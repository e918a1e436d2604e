-- title: From one source file to code that a GPU executes
-- data: bench/toolchain/start.reference.csv
-- data: bench/toolchain/start_ptx.reference.csv
local function first(experiment)
  return data.csv('toolchain/' .. experiment):one{version = 'cache_off'}.first_us
end
local x, w = d.left, d.width - 2 * d.left
local function box(bx, y, bw, said, role, tint, detail)
  d:rect(bx, y, bw, detail and 40 or 28,
         {fill = role, tint = tint or 0.25, radius = 4})
  if detail then
    d:fit(bx, y + 2, bw, 19, said, {size = 'small'})
    d:fit(bx, y + 19, bw, 19, detail, {size = 'tiny', role = 'muted'})
  else
    d:fit(bx, y, bw, 28, said, {size = 'small'})
  end
end
local function down(ax, from, to, dash)
  d:arrow({ax, from + 1, ax, to - 1}, {line = 'ink', dash = dash})
end

local third = (w - d:choose(40, 12)) / 3
local c1, c2, c3 = x, x + third + d:choose(20, 6), x + 2 * third + d:choose(40, 12)
local y = 2
d:text(x, y + 9, 'When you compile', {role = 'muted', size = 'small'})
y = y + 20
box(x, y, w, 'vector_add.cu', 'cell', 1)
local stage = y + 28 + 26
down(c1 + third / 2, y + 28, stage)
down(c2 + third / 2, y + 28, stage)
if not d.narrow then
  d:text(c1 + third / 2 + 8, y + 41, 'host code', {size = 'small', role = 'muted'})
  d:text(c2 + third / 2 + 8, y + 41, 'device code', {size = 'small', role = 'muted'})
end
box(c1, stage, third, d:choose('C++ compiler', 'C++'), 'cpu', 0.25)
box(c2, stage, third, 'cicc', 'gpu', 0.25)
local ptx = stage + 28 + 20
down(c2 + third / 2, stage + 28, ptx)
box(c2, ptx, third, 'PTX', 'register', 0.2,
    d:choose('for any later GPU', 'any later GPU'))
d:arrow({c2 + third + 1, ptx + 20, c3 - 1, ptx + 20}, {line = 'ink'})
box(c3, ptx, third, 'ptxas', 'gpu', 0.25)
local sass = ptx + 28 + 24
down(c3 + third / 2, ptx + 28, sass)
box(c3, sass, third, 'SASS', 'register', 0.4, 'for one kind of GPU')
local fat = sass + 40 + 24
down(c1 + third / 2, stage + 28, fat)
down(c2 + third / 2, ptx + 40, fat)
down(c3 + third / 2, sass + 40, fat)
d:rect(x, fat, w, 40, {line = 'ink', radius = 4})
d:fit(x, fat + 2, w, 19, 'the program', {size = 'small'})
d:fit(x, fat + 19, w, 19, d:choose('host code and a fat binary: PTX and SASS, each perhaps several times',
                            'host code, PTX, SASS'), {size = 'tiny', role = 'muted'})
local run = fat + 56
d:line(x, run, x + w, run, {line = 'muted', dash = '3 3'})
d:text(x, run + 14, 'When it runs', {role = 'muted', size = 'small'})
local load = run + 40
local wide = (w - 20) / 2
box(x, load, wide, d:choose('SASS fits this GPU: load it', 'SASS fits: load'), 'good', 0.25,
    {'first launch: %s ms', number(first('start') / 1000, 2)})
box(x + wide + 20, load, wide, d:choose('only PTX: the driver compiles it now', 'only PTX: compile'), 'bad', 0.25,
    {'first launch: %s ms', number(first('start_ptx') / 1000, 2)})
down(x + wide / 2, fat + 40, load)
down(x + wide + 20 + wide / 2, fat + 40, load)
d:alt(('A flow in two parts. When compiling, host code goes to the C++ compiler; '
  .. 'device code becomes PTX and, by ptxas, SASS; all three are in the program. '
  .. 'When running, SASS that fits is loaded and the first launch takes %s ms; '
  .. 'PTX alone is compiled first, and it takes %s ms.')
  :format(number(first('start') / 1000, 2), number(first('start_ptx') / 1000, 2)))
