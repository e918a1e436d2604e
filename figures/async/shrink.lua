-- title: Four steps in shared memory cost four points of halo on each side
-- data: bench/async/steps.reference.csv
local n_steps, core = 4, d:choose(16, 8)
local n = core + 2 * n_steps
local label = d:choose(150, 58)
local x0 = d.left + label
local cell = (d.width - x0 - d.left) / n
local high, gap = 24, 12
local y = 4
for step = 0, n_steps do
  local said = step == 0 and d:choose('as loaded', 'loaded') or
    (d:choose('after step %d', 'step %d')):format(step)
  d:text(x0 - 8, y + high / 2, said,
         {size = d:choose('small', 'tiny'), align = 'right'})
  d:cells(x0, y, 1, n, cell, high, function(_, c)
    local valid = c >= step and c < n - step
    local inner = c >= n_steps and c < n - n_steps
    if not valid then return {fill = 'cell', tint = 0.5} end
    return {fill = inner and 'result' or 'load', tint = inner and 0.7 or 0.5}
  end, 1.5)
  if step < n_steps then
    d:path({x0 + step * cell, y + high, x0 + (step + 1) * cell, y + high + gap},
           {line = 'muted'})
    d:path({x0 + (n - step) * cell, y + high,
            x0 + (n - step - 1) * cell, y + high + gap}, {line = 'muted'})
  end
  y = y + high + gap
end
d:brace(x0 + n_steps * cell, x0 + (n - n_steps) * cell, y,
        {d:choose('%d points to write back', '%d points'), core},
        {below = true})
local row = data.csv('async/steps'):one{steps_per_launch = n_steps}
y = y + 44
d:text(d.left, y, {d:choose('In the kernel of this section, %d steps load ' ..
  '%.2f points for each one that they write.',
  '%d steps load %.2f points for 1 written'), n_steps,
  row.points_loaded_per_written}, {size = d:choose('small', 'tiny'),
                                   role = 'muted'})
d.height = y + 14
d:alt(('Five rows of %d cells. As loaded, all are valid. After each step the ' ..
  'outermost valid cell on either side is lost, because its neighbour is ' ..
  'missing; after step %d, the inner %d cells are still right and are written ' ..
  'back.'):format(n, n_steps, core))
