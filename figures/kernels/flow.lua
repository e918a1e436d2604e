-- title: The five steps of vector addition, and the memory that each one touches
-- data: bench/kernels/size.reference.csv
local n = 0
for _, row in ipairs(data.csv('kernels/size').rows) do
  n = math.max(n, row.n_elems)
end
local bytes = 4 * n
local x, w = d.left, d.width - 2 * d.left
local side = d:choose(216, 118)
local right = x + w - side
local y, high = 2, d:choose(184, 206)
local size = d:choose('small', 'tiny')

local function machine(left, name, role)
  d:rect(left, y, side, high, {fill = role, tint = 0.1, radius = 6})
  d:text(left + side / 2, y + 14, name, {align = 'middle', size = size})
end
machine(x, d:choose('host: CPU and its memory', 'host'), 'cpu')
machine(right, d:choose('device: GPU and its memory', 'device'), 'gpu')

-- Three vectors on either side, one below the other.
local row = {y + 52, y + 86, y + 120}
local names = {'a', 'b', 'c'}
local box_w, box_h = d:choose(96, 52), 26
local host_x = x + side - box_w - d:choose(12, 6)
local device_x = right + d:choose(12, 6)
for i, name in ipairs(names) do
  local role = i < 3 and 'load' or 'store'
  d:box(host_x, row[i], box_w, box_h, 'h_' .. name,
        {fill = role, tint = 0.35, size = size})
  d:box(device_x, row[i], box_w, box_h, 'd_' .. name,
        {fill = role, tint = 0.35, size = size})
end

-- A step: its number in a circle, and what it is.
local function mark(at_x, at_y, number_of_step, words, above)
  d:circle(at_x, at_y, 8, {fill = 'paper', line = 'emphasis', weight = 1.2})
  d:text(at_x, at_y, ('%d'):format(number_of_step),
         {size = 'tiny', align = 'middle', role = 'emphasis'})
  if words then
    d:text(at_x + 13, at_y - (above and 9 or 0), words, {size = size})
  end
end
local from, to = host_x + box_w, device_x
for i = 1, 2 do
  d:arrow({from + 3, row[i] + box_h / 2, to - 3, row[i] + box_h / 2},
          {line = 'load', weight = 1.6})
end
d:arrow({to - 3, row[3] + box_h / 2, from + 3, row[3] + box_h / 2},
        {line = 'store', weight = 1.6})
local marks = from + (to - from) * d:choose(0.36, 0.22)
mark(marks, row[1] + box_h / 2, 2, 'copy in', true)
mark(marks, row[2] + box_h / 2, 2, 'copy in', true)
mark(marks, row[3] + box_h / 2, 4, 'copy out', true)

-- The kernel, next to its vectors.
local kernel_x = device_x + box_w + d:choose(34, 14)
local kernel_w = right + side - kernel_x - d:choose(10, 5)
d:box(kernel_x, row[1], kernel_w, row[3] + box_h - row[1], 'kernel',
      {fill = 'good', tint = 0.35, size = size})
for i = 1, 3 do
  local middle_y = row[i] + box_h / 2
  local ends = {device_x + box_w + 2, middle_y, kernel_x - 2, middle_y}
  if i == 3 then ends[1], ends[3] = ends[3], ends[1] end
  d:arrow(ends, {line = i < 3 and 'load' or 'store', weight = 1.3})
end
-- The launch crosses the link above the vectors.
local launch = y + 36
local cpu_w = d:choose(64, 38)
local cpu_x = x + d:choose(12, 5)
d:box(cpu_x, row[1], cpu_w, row[3] + box_h - row[1], 'CPU',
      {fill = 'cpu', tint = 0.5, size = size})
d:path({cpu_x + cpu_w / 2, row[1], cpu_x + cpu_w / 2, launch},
       {line = 'emphasis', weight = 1.3})
d:arrow({cpu_x + cpu_w / 2, launch, kernel_x + kernel_w / 2, launch,
         kernel_x + kernel_w / 2, row[1] - 2}, {line = 'emphasis', weight = 1.3})
mark(marks, launch, 3, 'launch', true)
-- What is allocated at first and freed at last.
mark(device_x + 8, row[3] + box_h + 16, 1, 'allocate')
mark(device_x + d:choose(92, 8), row[3] + box_h + d:choose(16, 36), 5, 'free')
d:alt(('Two boxes, the host on the left and the device on the right, each with '
  .. 'three vectors, a, b and c, of %s GB for the largest size of this chapter. '
  .. 'Step 1 allocates the vectors of the device. Step 2 copies h_a to d_a and '
  .. 'h_b to d_b. Step 3, the launch, leads from the CPU to the kernel, which '
  .. 'reads d_a and d_b and writes d_c. Step 4 copies d_c back to h_c, and step 5 '
  .. 'frees the vectors of the device.'):format(number(bytes / 1e9)))
