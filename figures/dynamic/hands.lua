-- title: Five ways of handing out the next squares
-- data: bench/dynamic/ways.reference.csv
local ways = data.csv('dynamic/ways')
local function time(version)
  return {'%s ms', number(ways:one{version = version}.time_us * 0.001, 2)}
end
local gap = 12
local n_across = d:choose(5, 2)
local w = ((d.width - 2 * d.left) - (n_across - 1) * gap) / n_across
local height = 176

local function box(x, y, bw, text, role)
  d:rect(x, y, bw, 20, {fill = role, tint = 0.35})
  d:fit(x, y, bw, 20, text, {size = 'tiny'})
end
local function levels(x, y)
  for i = 0, 2 do box(x + 10, y + 34 + i * 42, w - 62, 'level ' .. i + 1, 'gpu') end
end

local panels = {
  {'host loop', 'host_loop', function(x, y)
    levels(x, y)
    d:rect(x + w - 40, y + 30, 36, 112, {fill = 'cpu', tint = 0.35})
    d:fit(x + w - 40, y + 30, 36, 112, 'host', {size = 'tiny'})
    for i = 0, 2 do
      d:arrow({x + w - 40, y + 38 + i * 42, x + w - 51, y + 38 + i * 42},
              {line = 'ink'})
      d:arrow({x + w - 52, y + 49 + i * 42, x + w - 41, y + 49 + i * 42},
              {line = 'ink'})
    end
  end},
  {'children', 'children', function(x, y)
    local mid, quarter = x + w / 2, w / 4
    box(mid - 20, y + 34, 40, 'block', 'gpu')
    for i = -1, 1, 2 do
      box(mid + i * quarter - 20, y + 80, 40, 'block', 'gpu')
      d:arrow({mid, y + 54, mid + i * quarter, y + 79}, {line = 'ink'})
    end
    for i = -1, 1, 2 do
      box(mid - quarter + i * quarter * 0.72 - (i < 0 and 6 or 0) - 14,
          y + 126, 34, 'block', 'gpu')
      d:arrow({mid - quarter, y + 100,
               mid - quarter + i * quarter * 0.72, y + 125}, {line = 'ink'})
    end
  end},
  {'tail launches', 'tail', function(x, y)
    for i = 0, 1 do
      box(x + 10, y + 34 + i * 68, w - 20, 'level ' .. i + 1, 'gpu')
      box(x + w / 2 - 26, y + 68 + i * 68, 52, 'plan', 'partial')
      d:arrow({x + w / 2, y + 54 + i * 68, x + w / 2, y + 67 + i * 68},
              {line = 'ink'})
    end
    d:arrow({x + w / 2, y + 88, x + w / 2, y + 101}, {line = 'ink'})
  end},
  {'graph', 'graph', function(x, y)
    box(x + 10, y + 50, w - 44, 'sweep', 'gpu')
    box(x + 10, y + 96, w - 44, 'plan', 'partial')
    d:arrow({x + w / 2 - 12, y + 70, x + w / 2 - 12, y + 95}, {line = 'ink'})
    d:arrow({x + w - 34, y + 106, x + w - 14, y + 106, x + w - 14, y + 60,
             x + w - 33, y + 60}, {line = 'ink'})
    d:rect(x + 2, y + 36, w - 4, 96, {line = 'muted', dash = true})
  end},
  {'persistent', 'persistent', function(x, y)
    for i = 0, 5 do
      d:rect(x + w / 2 - 48 + i * 16, y + 36, 14, 14,
             {fill = 'partial', tint = i < 4 and 0.5 or 0.1})
    end
    for i = -1, 1 do
      box(x + w / 2 + i * w / 3.2 - 19, y + 100, 38, 'block', 'gpu')
      d:arrow({x + w / 2 + i * 14 - 3, y + 52, x + w / 2 + i * w / 3.2 - 3,
               y + 99}, {line = 'ink'})
      d:arrow({x + w / 2 + i * w / 3.2 + 5, y + 99, x + w / 2 + i * 14 + 5,
               y + 52}, {line = 'muted', dash = true})
    end
    d:text(x + w / 2, y + 140, 'take, and put back', {size = 'tiny',
           align = 'middle', role = 'muted'})
  end},
}
for i, panel in ipairs(panels) do
  local x = d.left + (i - 1) % n_across * (w + gap)
  local y = (i - 1) // n_across * height
  d:text(x, y + 12, panel[1], {size = 'small'})
  d:text(x + w, y + 12, time(panel[2]), {size = 'small', align = 'right',
         role = 'muted'})
  panel[3](x, y)
end
d.height = math.ceil(#panels / n_across) * height - 8
d:alt('Five small diagrams with times. Host loop: the host launches each level and reads ' ..
      'back how many squares are left. Children: a block launches blocks, ' ..
      'which launch blocks. Tail launches: level, plan, level, plan, in a ' ..
      'chain. Graph: a kernel that sweeps over a level and one that plans, in ' ..
      'a loop. Persistent: blocks take squares from a queue and put squares ' ..
      'back.')
