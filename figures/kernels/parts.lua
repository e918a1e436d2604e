-- title: Where the time of vector addition goes, for a large and a small size
-- data: bench/kernels/size.reference.csv
local sizes = data.csv('kernels/size')
local smallest, largest
for _, row in ipairs(sizes.rows) do
  if not smallest or row.n_elems < smallest.n_elems then smallest = row end
  if not largest or row.n_elems > largest.n_elems then largest = row end
end
local x, w = d.left, d.width - 2 * d.left
local steps = {
  {'alloc_us', 'allocate and free', {fill = 'muted', tint = 0.5}},
  {'copy_in_us', 'copy in', {fill = 'load', tint = 0.75}},
  {'launch_us', 'kernel', {fill = 'good', tint = 0.9}},
  {'copy_out_us', 'copy out', {fill = 'store', tint = 0.75}}}

local function panel(y, row, unit, factor, said)
  d:text(x, y + 9, said)
  y = y + 24
  local most = math.max(row.total_us, row.pinned_total_us, row.cpu_us)
  local label = d:choose(120, 0)
  local wide = w - label - d:choose(70, 62)
  local function bar(name, total, parts)
    if d.narrow then
      d:text(x, y + 7, name, {size = 'small', role = 'muted'})
      y = y + 17
    else
      d:text(x + label - 10, y + 11, name, {size = 'small', align = 'right'})
    end
    local at = x + label
    for _, part in ipairs(parts) do
      local long = math.max(part[1] / most * wide, 1)
      d:rect(at, y, long, 22, part[2])
      at = at + part[1] / most * wide
    end
    d:text(at + 8, y + 11, {'%s ' .. unit, number(total * factor)},
           {size = 'small'})
    y = y + 30
  end
  bar('one CPU core', row.cpu_us, {{row.cpu_us, {fill = 'cpu', tint = 0.35}}})
  for _, memory in ipairs{'', 'pinned_'} do
    local parts = {}
    for _, step in ipairs(steps) do
      parts[#parts + 1] = {row[memory .. step[1]], step[3]}
    end
    bar(memory == '' and 'GPU, pageable' or 'GPU, pinned',
        row[memory .. 'total_us'], parts)
  end
  return y + 8
end

local function exponent(n) return math.floor(math.log(n, 2) + 0.5) end
local entries = {}
for _, step in ipairs(steps) do entries[#entries + 1] = {step[3], step[2]} end
local y = d:legend(x, 2, w, entries) + 8
y = panel(y, largest, 'ms', 0.001,
          {'%s million elements', number(largest.n_elems / 1e6)})
panel(y, smallest, 'µs', 1, {'%d elements', smallest.n_elems})
d:alt(('Two groups of three bars. For the largest vectors the copies fill '
  .. 'nearly all of both GPU bars, %s and %s ms, and the kernel is a hairline; '
  .. 'the CPU needs %s ms. For the smallest, allocating is most of both GPU '
  .. 'bars, and the bar of the CPU is too short to see.')
  :format(number(largest.total_us / 1000), number(largest.pinned_total_us / 1000),
          number(largest.cpu_us / 1000)))
