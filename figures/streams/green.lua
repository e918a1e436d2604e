-- title: Where the blocks of two kernels may run, confined in three ways
-- data: bench/hardware/query.reference.csv
local t = data.csv('hardware/query')
local n = tonumber(t:one{name = 'multiProcessorCount'}.value)
local few = 8
local columns = 12
local large, small = {fill = 'load', tint = 0.5}, {fill = 'store', tint = 0.7}
local both = {fill = 'shared', tint = 0.5}
-- Who may use the few SMs, and who the others.
local panels = {
  {'Small one confined', 'no SM is kept free', both, large},
  {'Large one confined', 'a few SMs are kept free', small, both},
  {'Both confined', 'each has SMs of its own', small, large},
}
-- Below one another, the grids are wider and lower.
local places, wide = d:columns(#panels), d:choose(columns, 22)
local rows = math.ceil(n / wide)
local cell = math.floor(math.min(places[1].w / wide, 17))
local y, bottom = 12, 0
for k, panel in ipairs(panels) do
  local x = places[k].x
  d:text(x, y, panel[1], {size = 'text'})
  d:text(x, y + 17, panel[2], {size = 'small', role = 'muted'})
  d:cells(x, y + 30, rows, wide, cell, cell, function(row, column)
    local sm = row * wide + column
    if sm >= n then return nil end
    return sm < few and panel[3] or panel[4]
  end)
  bottom = y + 30 + rows * cell
  y = d:choose(y, bottom + 22)
end
d:legend(d.left, bottom + 14, d.width - 2 * d.left, {
  {large, 'the large kernel only'}, {small, 'the small kernel only'},
  {both, 'either'},
})
d:alt(('Three grids of %d small squares, one for each SM, of which %d at the ' ..
  'top left are the group. With the small kernel confined, either kernel may ' ..
  'use the group and the large one all others. With the large one confined, ' ..
  'the group is the small kernel\'s and the others are free to both. With ' ..
  'both confined, no square is free to both.'):format(n, few))
