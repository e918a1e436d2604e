-- title: All-reduce by slices on two GPUs
-- data: bench/multi_gpu/allreduce.referencex2.csv
local names = {'GPU 0', 'GPU 1'}
local wide = d:choose(190, 118)
local gap = d:choose(150, 56)
local high = 34
local x = {d.left + 2, d.left + 2 + wide + gap}
if not d.narrow then
  local shift = (d.width - 2 * d.left - 2 * wide - gap) / 2
  x[1], x[2] = x[1] + shift, x[2] + shift
end
local function array(k, y, styles, labels)
  for s = 1, 2 do
    d:rect(x[k] + (s - 1) * wide / 2, y, wide / 2 - 1.5, high, styles[s])
    d:fit(x[k] + (s - 1) * wide / 2, y, wide / 2 - 1.5, high, labels[s],
          {size = 'small'})
  end
end
local own = {fill = 'warp_0', tint = 0.35}
local other = {fill = 'warp_1', tint = 0.35}
local sum = {fill = 'result', tint = 0.5}
local y = 24
d:text(x[1], y - 12, names[1])
d:text(x[2], y - 12, names[2])
array(1, y, {own, own}, {'a0', 'a1'})
array(2, y, {other, other}, {'b0', 'b1'})
local middle = y + high + 46
-- Loads: GPU 0 takes b0, GPU 1 takes a1.
local function across(from, to, role)
  d:arrow({from[1], from[2], to[1], to[2]}, {line = role, weight = 1.6})
end
local function at(k, s) return x[k] + (s - 0.5) * wide / 2 end
across({at(2, 1), y + high + 2}, {at(1, 1) + 10, middle - 3}, 'load')
across({at(1, 2), y + high + 2}, {at(2, 2) - 10, middle - 3}, 'load')
array(1, middle, {sum, {fill = 'cell'}}, {'a0+b0', ''})
array(2, middle, {{fill = 'cell'}, sum}, {'', 'a1+b1'})
local last = middle + high + 46
across({at(1, 1) + 10, middle + high + 2}, {at(2, 1), last - 3}, 'store')
across({at(2, 2) - 10, middle + high + 2}, {at(1, 2), last - 3}, 'store')
array(1, last, {sum, sum}, {'a0+b0', 'a1+b1'})
array(2, last, {sum, sum}, {'a0+b0', 'a1+b1'})
local below = d:legend(d.left, last + high + 12, d.width - 2 * d.left,
  {{{fill = 'load'}, 'loads over the link'},
   {{fill = 'store'}, 'stores over the link'}})
d:alt('Two GPUs with an array of two slices each. GPU 0 loads the first ' ..
      'slice of GPU 1, adds its own and stores the sum in both arrays; GPU 1 ' ..
      'does the same with the second slice.')
