-- What drawings of this subject are made of: lanes, cells, braces, axes of
-- time, legends; maps.lua adds banks, sectors and lines. Each draws at x, y and
-- returns the y below it.

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

-- A box that says something. style: fill, tint, size, and `gap`, what is left
-- free on both sides where boxes follow each other in time.
function shapes:box(x, y, w, h, said, style)
  local gap = style.gap or 0
  self:rect(x + gap, y, w - 2 * gap, h,
            {fill = style.fill, tint = style.tint or 0.35, radius = 3})
  self:fit(x, y, w, h, said, {size = style.size})
end

-- The arrow of time, from x to the right edge.
function shapes:time(x, y, size)
  self:arrow({x, y, self.width - self.left, y}, {line = 'muted'})
  self:text(self.width - self.left, y + 14, 'time',
            {size = size, align = 'right', role = 'muted'})
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
