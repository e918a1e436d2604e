-- title: When a parent, its child and a tail launch run
-- data: bench/dynamic/launches.reference.csv
local launches = data.csv('dynamic/launches')
local chained = number(launches:one{version = 'chain'}.each_us, 2)
local w = (d.width - 2 * d.left)
local label = d:choose(110, 74)
local function at(t) return d.left + label + t / 100 * (w - label) end
local rows = {host = 30, parent = 78, child = 126, tail = 174}
local height = 26

local function row(name, text)
  d:text(d.left, rows[name] + height / 2, text, {size = 'small'})
end
local function bar(name, from, to, text, role, tint)
  d:rect(at(from), rows[name], at(to) - at(from), height,
         {fill = role, tint = tint or 0.35})
  d:fit(at(from), rows[name], at(to) - at(from), height, text,
        {size = 'small'})
end

row('host', 'host')
row('parent', d:choose('parent grid', 'parent'))
row('child', d:choose('child grid', 'child'))
row('tail', d:choose('tail launch', 'tail'))
bar('host', 0, 10, d:choose('launch', ''), 'cpu')
bar('parent', 10, 45, d:choose('runs', 'runs'), 'gpu')
bar('child', 34, 64, 'child', 'arithmetic')
bar('tail', 72, 86, 'tail', 'partial')
bar('parent', 88, 100, d:choose('next', ''), 'gpu', 0.15)

-- Who starts whom.
d:arrow({at(24), rows.parent + height, at(24), rows.child + height / 2,
         at(34) - 2, rows.child + height / 2}, {line = 'ink'})
d:arrow({at(30), rows.parent + height, at(30), rows.tail + height / 2,
         at(70) - 2, rows.tail + height / 2}, {line = 'ink', dash = true})

-- From one tail launch to the next, measured in a chain.
d:text(at(72) - 6, rows.tail + height / 2 + 14, {'%s µs per link of a chain', chained},
       {size = 'tiny', align = 'right', role = 'muted'})

-- How long the parent counts as running.
d:brace(at(10), at(86), rows.host + height + 12,
        d:choose('to the stream and the host, all of this is the parent',
                 'all of this is the parent'))
d:text(at(0), rows.tail + height + 18,
       d:choose('A child may start while its parent still runs, or after it. ' ..
                'A tail launch waits for both.',
                'A tail launch waits for both.'),
       {size = 'small', role = 'muted'})
d:alt('Bars over time. The host launches the parent grid. While the parent ' ..
      'runs it launches a child, which starts before the parent has ended ' ..
      'and ends after it, and a tail launch, which starts when both have ' ..
      'ended. Only then does the next kernel of the stream run. A brace over ' ..
      'parent, child and the gap says that all of it counts as the parent.')
