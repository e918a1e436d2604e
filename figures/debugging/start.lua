-- title: Where to start: one question after the other, and what to try
-- data: bench/debugging/verdicts.reference.csv
local broken = data.csv('debugging/verdicts'):select{group = 'bug',
                                                    kind = 'broken'}
local n_right = 0
for _, bug in ipairs(broken) do
  if bug.alone == 'right results' then n_right = n_right + 1 end
end

local rows = {
  {'Does a call or a launch return an error?',
   'A limit or an argument: read the launch. An illegal '
   .. 'or misaligned address: memcheck names line and thread.'},
  {'Does it crash where you cannot run a tool?',
   'Let the driver write a GPU core dump, and open it in cuda-gdb later.'},
  {'Does it hang?',
   'synccheck. Or interrupt it in cuda-gdb: info cuda warps shows where '
   .. 'they wait.'},
  {'Do the results change from run to run?',
   'racecheck for shared memory, initcheck for global memory. Then the '
   .. 'software device, in several orders of blocks.'},
  {'Are they wrong in the same way every time?',
   'memcheck with padding, initcheck. If both are silent, hunt: reproduce, '
   .. 'shrink, divide.'},
}
local last = {'Everything seems right',
  ('Run all four tools once, and the software device: %d of the %d bugs in '
   .. 'this chapter left the results right.'):format(n_right, #broken)}

local question_w = d:choose(214, 282)
local answer_x = d:choose(d.left + question_w + 62, d.left + 40)
local answer_w = d.width - d.left - answer_x
local gap = d:choose(24, 20)
local spine = d.left + d:choose(question_w / 2, 14)
local y = 4

-- The height of a wrapped text in a box with a margin.
local function lines_of(text, w, size)
  local n, line = 1, nil
  for word in text:gmatch('%S+') do
    local longer = line and line .. ' ' .. word or word
    if line and d:text_width(longer, size) > w then
      n, line = n + 1, word
    else
      line = longer
    end
  end
  return n
end
local function box(x, top, w, text, style)
  local size = style.size or 'text'
  local high = lines_of(text, w - 20, size) * 17 + 14
  d:rect(x, top, w, high, {fill = style.fill, tint = style.tint, radius = 5,
                           line = style.line, weight = 1})
  d:paragraph(x + 10, top + 4, w - 20, text, {size = size})
  return high
end

local function row(question, answer, is_last)
  local look = {fill = 'gpu', tint = is_last and 0.28 or 0.12, line = 'gpu'}
  local high = box(d.left, y, question_w, question, look)
  local answer_y = d:choose(y, y + high + 16)
  local size = {fill = 'cell', tint = 0.6, size = 'small'}
  local answer_high = box(answer_x, answer_y, answer_w, answer, size)
  if d.narrow then
    local middle = answer_y + answer_high / 2
    d:arrow({spine + 10, y + high, spine + 10, middle, answer_x - 2, middle},
            {line = 'emphasis', weight = 1.3})
    if not is_last then
      d:text(answer_x, y + high + 8, 'yes', {size = 'tiny', role = 'emphasis'})
    end
  else
    local middle = y + math.min(high, answer_high) / 2
    d:arrow({d.left + question_w, middle, answer_x - 3, middle},
            {line = 'emphasis', weight = 1.3})
    if not is_last then
      d:text((d.left + question_w + answer_x) / 2 - 4, middle - 9, 'yes',
             {size = 'tiny', role = 'emphasis', align = 'middle'})
    end
  end
  local bottom = d:choose(y + math.max(high, answer_high),
                          answer_y + answer_high)
  if not is_last then
    local from = y + high
    d:arrow({spine - d:choose(0, 10), from, spine - d:choose(0, 10),
             bottom + gap - 2}, {line = 'ink', weight = 1.3})
    d:text(spine + d:choose(6, -6), bottom + gap / 2 - d:choose(2, 1), 'no',
           {size = 'tiny', role = 'muted'})
  end
  y = bottom + gap
end

for _, one in ipairs(rows) do row(one[1], one[2], false) end
row(last[1], last[2], true)

local said = {}
for _, one in ipairs(rows) do said[#said + 1] = one[1] .. ' ' .. one[2] end
d:alt('A chart of questions, from top to bottom; each has an answer to its '
  .. 'right if it is yes, and leads to the next one if it is no. '
  .. table.concat(said, ' ') .. ' ' .. last[1] .. '. ' .. last[2])
