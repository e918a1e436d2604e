-- title: Which chapters refer back to which
-- data: bench/outlook/map.reference.csv
local rows = data.csv('outlook/map'):select{}

local chapters, at, last = {}, {}, 0
for _, row in ipairs(rows) do
  local c = at[row.chapter]
  if not c then
    c = {number = row.number, part = row.part, back = {}, uses = 0,
         title = tostring(row.title):gsub(';', ',')}
    chapters[#chapters + 1], at[row.chapter] = c, c
    last = math.max(last, c.number)
  end
  if row.n_references > 0 then
    c.back[#c.back + 1] = {to = at[row.refers_to], n = row.n_references}
    at[row.refers_to].uses = at[row.refers_to].uses + 1
  end
end

local high = d:choose(17, 15)
local size = d:choose('small', 'tiny')
local x0 = d.left + d:choose(226, 190)
local cell = (d.width - d.left - x0) / last
local function middle(number) return x0 + (number - 0.5) * cell end

-- Each chapter's line: its title, and its place on the diagonal.
local y, part = 12, nil
for _, c in ipairs(chapters) do
  if c.part ~= part then
    if part then y = y + 9 end
    d:text(d.left, y, c.part, {size = 'tiny', role = 'muted'})
    y, part = y + d:choose(17, 15), c.part
  end
  c.y = y
  d:text(d.left + 18, y, {'%d', c.number},
         {size = size, align = 'right', role = 'muted'})
  d:text(d.left + 25, y, c.title, {size = size})
  y = y + high
end
local bottom = y - high / 2 + 2

-- A column for each chapter that others use, and a square for each use.
local most = chapters[1]
for _, c in ipairs(chapters) do
  if c.uses > most.uses then most = c end
  d:line(x0, c.y + high / 2, middle(c.number), c.y + high / 2, {line = 'grid'})
  d:line(middle(c.number), c.y, middle(c.number), bottom, {line = 'grid'})
end
for _, c in ipairs(chapters) do
  for _, b in ipairs(c.back) do
    local side = math.min(cell, high) * (b.n > 1 and 0.92 or 0.62)
    d:rect(middle(b.to.number) - side / 2, c.y - side / 2, side, side,
           {fill = c.part == b.to.part and 'gpu' or 'result',
            tint = b.n > 1 and 0.9 or 0.6})
  end
  d:circle(middle(c.number), c.y, math.min(cell, high) * 0.3, {fill = 'muted'})
end
local every = d:choose(1, 5)
for _, c in ipairs(chapters) do
  if c.number % every == 0 or c.number == 1 then
    d:text(middle(c.number), bottom + 8, {'%d', c.number},
           {size = 'tiny', align = 'middle', role = 'muted'})
  end
end
d:text(d.left, bottom + 8, d:choose('used by the chapters above this number', 'used by those above'),
       {size = 'tiny', role = 'muted'})
y = d:legend(x0, bottom + 24, d.width - d.left - x0, {
  {{fill = 'gpu', tint = 0.6}, d:choose('refers to a chapter of the same part', 'same part')},
  {{fill = 'result', tint = 0.6}, d:choose('of an earlier part', 'earlier part')}})
d.height = y
d:alt(('The titles of %d chapters below each other, and for each of them a ' ..
  'square below each earlier chapter that it refers to. The most squares ' ..
  'are in the column of %s: %d.'):format(#chapters, most.title, most.uses))
