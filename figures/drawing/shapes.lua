-- What drawings of this subject are made of: lanes, cells, banks, sectors and
-- lines, braces, axes of time, legends. Each draws at x, y and returns the y
-- below it.

local Canvas = require 'canvas'
local text = require 'text'

local shapes = {}
Canvas.shapes = shapes
setmetatable(Canvas, {__index = shapes})

-- Places of n columns beside each other; below each other if narrow.
-- Each is {x =, w =}; `d:columns(2)`.
function shapes:columns(n, gap)
  gap = gap or 24
  local places = {}
  local w = self.narrow and self.width - 2 * self.left or
            (self.width - 2 * self.left - (n - 1) * gap) / n
  for i = 1, n do
    places[i] = {x = self.left + (self.narrow and 0 or (i - 1) * (w + gap)),
                 w = w}
  end
  return places
end

-- A grid of cells. cell(row, column), both from 0, returns a style with
-- optional `label`, or nil for an empty cell; false leaves it out.
function shapes:cells(x, y, rows, columns, w, h, cell, gap)
  gap = gap or math.min(w, h) > 6 and 1.5 or 0.5
  for r = 0, rows - 1 do
    for c = 0, columns - 1 do
      local style = cell(r, c)
      if style == nil then style = {fill = 'lane_off'} end
      if style then
        local cx, cy = x + c * w, y + r * h
        self:rect(cx, cy, w - gap, h - gap, style)
        if style.label then
          self:fit(cx - gap / 2, cy, w, h - gap, style.label,
                   {size = style.size or 'tiny', role = style.role,
                    lane = style.lane})
        end
      end
    end
  end
  return y + rows * h
end

-- The 32 lanes of a warp; `look(lane)` as in cells. Labels fit or are left out.
function shapes:lanes(x, y, w, h, look)
  local each = w / 32
  return self:cells(x, y, 1, 32, each, h, function(_, lane)
    local style = look and look(lane) or {fill = 'lane'}
    if style then style.lane = lane end
    if style and style.label == nil and each >= 14 then
      style.label = tostring(lane)
    end
    return style
  end)
end

-- Axis of `n` numbered columns, each or every k-th labelled.
function shapes:numbers(x, y, w, n, every, size)
  for i = 0, n - 1, every do
    self:text(x + (i + 0.5) * w / n, y + 6, tostring(i),
              {size = size or 'tiny', align = 'middle', role = 'muted'})
  end
  return y + 13
end

-- A heading on the left and its result on the right, or below if too long.
function shapes:heading(x, y, w, title, result, role, size)
  size = size or 'text'
  self.panel = text.of(title)
  self:text(x, y + 9, title, {size = size})
  if not result then return y + 20 end
  local beside = self:text_width(title, size) +
                 self:text_width(result, size) + 14 <= w
  if beside then
    self:text(x + w, y + 9, result, {size = size, align = 'right', role = role})
    return y + 20
  end
  self:text(x, y + 26, result, {size = size, role = role})
  return y + 37
end

local function names(rows)
  local first, last, n = rows[1].lane, rows[#rows].lane, #rows
  if n == 1 then return tostring(first), first end
  if n == 32 then return 'all' end
  return '×' .. n
end

-- Bank ledger of a request to shared memory: a row for each wavefront, a
-- column for each bank, in the cell the lane that is served. Several wavefronts
-- have the colour of conflicts unless you give a role.
function shapes:ledger(x, y, w, request, role)
  local passes = request:wavefronts()
  local head = (self.narrow or w < 400) and 0 or 74
  local cell = (w - head) / 32
  local high = head > 0 and 17 or math.min(13, 260 // passes)
  local served = {}
  for _, row in ipairs(request.lanes) do
    for byte = row.address, row.address + row.bytes - 1, 4 do
      local key = row.wavefront * 32 + byte // 4 % 32
      served[key] = served[key] or {}
      local known = served[key]
      if known[#known] ~= row then known[#known + 1] = row end
    end
  end
  if head > 0 then
    self:text(x + head - 8, y + 6, 'bank',
              {size = 'tiny', align = 'right', role = 'muted'})
    for k = 0, passes - 1 do
      self:text(x + head - 8, y + 14 + (k + 0.5) * 17, 'wavefront ' .. k + 1,
                {size = 'tiny', align = 'right', role = 'muted'})
    end
  end
  if head > 0 then
    self:numbers(x + head, y, w - head, 32, 1)
  else
    self:text(x, y + 6, 'bank 0', {size = 'tiny', role = 'muted'})
    for bank = 8, 31, 8 do
      self:text(x + (bank + 0.5) * cell, y + 6, tostring(bank),
                {size = 'tiny', align = 'middle', role = 'muted'})
    end
  end
  role = role or passes > 1 and 'conflict' or 'lane'
  return self:cells(x + head, y + 14, passes, 32, cell,
    high, function(k, bank)
      local rows = served[k * 32 + bank]
      if not rows then return nil end
      local label, lane = names(rows)
      if head == 0 or self:text_width(label, 'tiny') > cell then
        label = nil
      end
      return {fill = role, tint = 0.38, lane = lane, label = label,
              tip = string.format('lane %s: bank %d; wavefront %d of %d',
                                  lane or label, bank, k + 1, passes)}
    end)
end

-- How dark a lane is where all 32 are drawn: from lane 0 to lane 31.
function shapes.shade(lane) return 0.4 + 0.6 * lane / 31 end

-- Line stack of a request to global memory: a row for each 128-byte line that
-- it touches, so that area means bytes. Each lane's bytes are darker than
-- those of the lane before; what moves with them is wasted. `w` is the width of
-- a line.
function shapes:line_stack(x, y, w, request, high)
  high = high or 9
  local used, order, sectors = request:pieces(1), {}, request:pieces(32)
  for line in pairs(request:pieces(128)) do order[#order + 1] = line end
  table.sort(order)
  local gap = w > 100 and 0.6 or 0.2
  for k, line in ipairs(order) do
    local top = y + (k - 1) * (high + 1.5)
    -- Runs of bytes that are alike: one lane's, wasted, or not moved.
    local byte, stop = line * 128, (line + 1) * 128
    while byte < stop do
      local rows, from = used[byte], byte
      local touched = sectors[byte // 32]
      if rows then
        byte = math.min(rows[1].address + rows[1].bytes, stop)
      else
        repeat byte = byte + 1 until used[byte] or byte % 32 == 0
      end
      local gap = byte % 32 == 0 and 1 or gap
      local left, wide = x + from % 128 * w / 128, (byte - from) * w / 128 - gap
      if rows then
        local row, all = rows[1], #rows > 1
        self:rect(left, top, wide, high,
          {fill = 'used', tint = all and 1 or self.shade(row.lane),
           lane = not all and row.lane or nil,
           tip = string.format('%s: byte %d; sector %d',
             all and #rows .. ' lanes' or 'lane ' .. row.lane, row.address,
             row.address // 32)})
      else
        self:rect(left, top, wide, high,
                  touched and {fill = 'wasted', tint = 0.32} or
                  {fill = 'cell', tint = 0.6})
      end
    end
  end
  return y + #order * (high + 1.5)
end

-- What the colours of line stacks mean.
function shapes:stack_legend(x, y, w)
  self:text(x, y + 8, self:choose('One row is a line of 128 bytes, four ' ..
    'sectors of 32 bytes.', 'A row is a line of four sectors.'),
    {size = 'small', role = 'muted'})
  return self:legend(x, y + 20, w, {
    {{fill = 'used', tint = self.shade(0)}, 'used by lane 0 …'},
    {{fill = 'used', tint = self.shade(31)}, '… by lane 31'},
    {{fill = 'wasted', tint = 0.32}, 'moved, not used'},
    {{fill = 'cell', tint = 0.6}, 'not moved'}})
end

-- Line stacks beside each other, all of one scale: cases are
-- {title, code or '', request}. Returns y and a sentence on each.
function shapes:stacks(y, cases)
  local each = self:choose(math.min(#cases, 5), 2)
  local gap = self:choose(20, 14)
  local w = math.min(190, (self.width - 2 * self.left - (each - 1) * gap) / each)
  local size, said, lines = self:choose('text', 'small'), {}, 1
  for _, case in ipairs(cases) do
    lines = math.max(lines, #text.wrap(case[1], w, text.sizes[size]))
  end
  local below = y
  for k, case in ipairs(cases) do
    local x = self.left + (k - 1) % each * (w + gap)
    if k > 1 and (k - 1) % each == 0 then y = below + 14 end
    local request, at = case[3], y
    self.panel = case[1]
    local sectors = request:sectors()
    local waste = 1 - request:used_bytes() / (32 * sectors)
    self:paragraph(x, at, w, case[1], {size = size})
    at = at + lines * text.sizes[size] * 1.3 + 2
    if case[2] ~= '' then
      self:text(x, at + 7, case[2], {size = 'small', role = 'muted'})
    else
      at = at - 15
    end
    self:text(x, at + 24, {sectors == 1 and '%d sector' or '%d sectors', sectors},
              {size = 'small'})
    self:text(x + w, at + 24, waste > 0.001 and
              {w < 150 and '%.0f %% waste' or '%.0f %% wasted', 100 * waste} or
              'no waste', {size = 'small', align = 'right',
                              role = waste > 0.001 and 'bad' or 'good'})
    below = math.max(below, self:line_stack(x, at + 35, w, request,
                                            self:choose(9, 7)))
    said[k] = ('%s: %d %s in %d %s, %.0f %% wasted'):format(case[1], sectors,
      sectors == 1 and 'sector' or 'sectors', request:lines(),
      request:lines() == 1 and 'line' or 'lines', 100 * waste)
  end
  self.panel = nil
  return self:stack_legend(self.left, below + 10, self.width - 2 * self.left),
         table.concat(said, '; ') .. '.'
end

-- A brace around x1 … x2 with its text above (default) or below.
function shapes:brace(x1, x2, y, said, style)
  style = style or {}
  local way = style.below and 1 or -1
  local middle, deep = (x1 + x2) / 2, 6
  self:path({x1, y, x1, y + way * deep / 2, x2, y + way * deep / 2, x2, y},
            {line = 'muted'})
  self:line(middle, y + way * deep / 2, middle, y + way * deep,
            {line = 'muted'})
  if said then
    self:text(middle, y + way * (deep + 8), said,
              {size = style.size or 'small', align = 'middle',
               role = style.role})
  end
end

-- The same on the left or (right = true) on the right of y1 … y2.
function shapes:side_brace(x, y1, y2, said, style)
  style = style or {}
  local way = style.right and 1 or -1
  local middle = (y1 + y2) / 2
  self:path({x, y1, x + way * 3, y1, x + way * 3, y2, x, y2}, {line = 'muted'})
  self:line(x + way * 3, middle, x + way * 6, middle, {line = 'muted'})
  if said then
    self:text(x + way * 9, middle, said,
              {size = style.size or 'small', role = style.role,
               align = style.right and 'left' or 'right'})
  end
end

-- An axis from `from` to `to` over x … x + w, in steps, with its unit.
function shapes:axis(x, y, w, from, to, step, unit)
  self:line(x, y, x + w, y, {line = 'muted'})
  for value = from, to + step / 1000, step do
    local at = x + (value - from) / (to - from) * w
    self:line(at, y, at, y + 4, {line = 'muted'})
    self:text(at, y + 12, text.number(value, 4):gsub('%.0+$', ''),
              {size = 'tiny', align = 'middle', role = 'muted'})
  end
  if unit then
    self:text(x + w, y + 27, unit, {size = 'small', align = 'right',
                                    role = 'muted'})
    return y + 36
  end
  return y + 20
end

-- Keys beside each other, in as many lines as they need: {{style, text}, …}.
function shapes:legend(x, y, w, entries, size)
  size = size or 'small'
  local at, top = x, y
  for _, entry in ipairs(entries) do
    local wide = 18 + self:text_width(entry[2], size) + 18
    if at > x and at + wide - 18 > x + w then at, top = x, top + 18 end
    self:rect(at, top + 2, 12, 12, entry[1])
    self:text(at + 18, top + 8, entry[2], {size = size})
    at = at + wide
  end
  return top + 20
end

return shapes
