-- What a drawing consists of: rectangles, lines, shapes and text, in units of
-- about a pixel. Text is measured; it must stay inside of its box and of the
-- drawing, and off other text. `svg` writes it for the page or for print.

local frame = require 'page'
local roles = require 'roles'
local text = require 'text'

local Canvas = {}
Canvas.__index = Canvas

local margin = 8    -- around everything, and what text must keep clear of edges

local function fail(message, remedy)
  error({message = message, remedy = remedy}, 0)
end

function Canvas.new(narrow)
  return setmetatable({narrow = narrow, width = narrow and 340 or 720,
                       left = margin, items = {}, boxes = {}, bottom = 0},
                      Canvas)
end

-- Narrow drawings choose their second value.
function Canvas:choose(wide, narrow)
  if self.narrow then return narrow end
  return wide
end

-- What one sees, with the numbers that the script has read.
function Canvas:alt(said)
  self.description = type(said) == 'table' and text.of(said) or said
end

-- ---- Shapes -------------------------------------------------------------
-- Style of shapes: fill (role), tint (0 to 1), line (role), weight, dash,
-- radius; lane (a lane's number) and tip (said on hover) make it one thing
-- that a page can find.

local function add(self, kind, bottom, style, item)
  style = style or {}
  for _, role in ipairs {style.fill, style.line} do roles.page(role) end
  if type(style.dash) == 'table' then
    fail('a dash is a text', "write '4 3', 4 units of line and 3 of gap, or true")
  end
  item.kind, item.style = kind, style
  item.lane = style.lane
  item.panel = self.panel
  self.items[#self.items + 1] = item
  self.bottom = math.max(self.bottom, bottom)
end

function Canvas:rect(x, y, w, h, style)
  if x < -0.01 or x + w > self.width + 0.01 then
    fail(string.format('a box from %.0f to %.0f leaves the drawing, which is '
                       .. '%d units wide', x, x + w, self.width),
         'make it smaller, or move it')
  end
  add(self, 'rect', y + h, style, {x = x, y = y, w = w, h = h})
end

-- points: {x1, y1, x2, y2, …}; style.close fills it.
function Canvas:path(points, style)
  local bottom = 0
  for i = 2, #points, 2 do bottom = math.max(bottom, points[i]) end
  add(self, 'path', bottom, style, {points = points})
end

function Canvas:line(x1, y1, x2, y2, style)
  self:path({x1, y1, x2, y2}, style or {line = 'muted'})
end

-- A smooth line between two points that leaves and arrives vertically.
function Canvas:curve(x1, y1, x2, y2, style)
  local middle = (y1 + y2) / 2
  add(self, 'curve', math.max(y1, y2), style or {line = 'muted'},
      {points = {x1, y1, x1, middle, x2, middle, x2, y2}})
end

function Canvas:circle(x, y, r, style)
  add(self, 'circle', y + r, style, {x = x, y = y, r = r})
end

-- points as in path; the head is at the last one.
function Canvas:arrow(points, style)
  style = style or {line = 'ink'}
  local n = #points
  local x, y = points[n - 1], points[n]
  local dx, dy = x - points[n - 3], y - points[n - 2]
  local length = math.sqrt(dx * dx + dy * dy)
  dx, dy = dx / length, dy / length
  local head = style.head or 6
  local shaft = table.move(points, 1, n, 1, {})
  shaft[n - 1], shaft[n] = x - dx * head * 0.8, y - dy * head * 0.8
  self:path(shaft, style)
  self:path({x, y, x - dx * head - dy * head / 2, y - dy * head + dx * head / 2,
             x - dx * head + dy * head / 2, y - dy * head - dx * head / 2},
            {fill = style.line or 'ink', close = true})
end

-- ---- Text ---------------------------------------------------------------
-- y is the middle of the line. Style: size, align (left, middle, right), role,
-- turn (reads upwards), free (may lie on other text), halo (keeps off lines).

local function meets(a, b)
  local slack = 0.6
  return a.x1 < b.x2 - slack and b.x1 < a.x2 - slack and
         a.y1 < b.y2 - slack and b.y1 < a.y2 - slack
end

local function place(self, x, y, said, style)
  local size = text.sizes[style.size or 'text'] or
               fail(string.format("no text size '%s'", style.size),
                    'sizes are head, text, small, tiny')
  local width = text.width(said, size)
  local align = style.align or 'left'
  local from = align == 'left' and 0 or align == 'right' and -width or
               align == 'middle' and -width / 2 or
               fail(string.format("no alignment '%s'", align),
                    'it is left, middle or right')
  local box = {said = said, x1 = x + from, x2 = x + from + width,
               y1 = y - text.ascent * size, y2 = y + text.descent * size}
  if style.turn then
    box = {said = said, x1 = x - text.ascent * size,
           x2 = x + text.descent * size, y1 = y - from - width, y2 = y - from}
  end
  if box.x1 < -0.01 or box.x2 > self.width + 0.01 or box.y1 < -0.01 then
    fail(string.format("'%s' leaves the drawing: %.0f to %.0f of %d units, "
                       .. 'top at %.0f', said, box.x1, box.x2, self.width,
                       box.y1), 'shorten it, wrap it, or move it')
  end
  if not style.free then
    for _, other in ipairs(self.boxes) do
      if meets(box, other) then
        fail(string.format("'%s' lies on '%s' at %.0f, %.0f", said, other.said,
                           x, y), 'move one of them')
      end
    end
    self.boxes[#self.boxes + 1] = box
  end
  add(self, 'text', box.y2, {fill = style.role or 'ink', halo = style.halo,
                             lane = style.lane},
      {x = x, y = y, said = said, size = size, align = align,
       turn = style.turn})
  return width
end

function Canvas:text(x, y, said, style)
  return place(self, x, y, text.of(said), style or {})
end

-- Text in the middle of a box, which it must fit into.
function Canvas:fit(x, y, w, h, said, style)
  style = style or {}
  local shown = text.of(said)
  local size = text.sizes[style.size or 'text']
  local wide = text.width(shown, size)
  local high = (text.ascent + text.descent) * size
  if style.turn then wide, high = high, wide end
  if wide > w + 0.01 or high * 0.8 > h + 0.01 then
    fail(string.format("'%s' needs %.0f × %.0f units, its box has %.0f × %.0f",
                       shown, wide, high, w, h),
         'shorten it, use a smaller size, or enlarge the box')
  end
  local set = {align = 'middle', size = style.size, role = style.role,
               lane = style.lane, free = style.free, turn = style.turn}
  return place(self, x + w / 2, y + h / 2, shown, set)
end

-- Lines of at most `w`; returns where the next thing may begin.
function Canvas:paragraph(x, y, w, said, style)
  style = style or {}
  local size = text.sizes[style.size or 'text']
  local high = size * 1.3
  local at = style.align == 'middle' and x + w / 2 or
             style.align == 'right' and x + w or x
  for i, line in ipairs(text.wrap(text.of(said), w, size)) do
    place(self, at, y + (i - 0.5) * high, line, style)
    self.last_line = y + i * high
  end
  return self.last_line
end

function Canvas:text_width(said, size)
  return text.width(text.of(said), text.sizes[size or 'text'])
end

-- ---- Writing ------------------------------------------------------------

local plain, escape = frame.number, frame.escape

local function points_path(points, close)
  local parts = {}
  for i = 1, #points, 2 do
    parts[#parts + 1] = (i == 1 and 'M' or 'L') .. plain(points[i]) .. ' ' ..
                        plain(points[i + 1])
  end
  return table.concat(parts) .. (close and 'z' or '')
end

-- Its geometry as attributes, and the tag.
local function geometry(item)
  if item.kind == 'rect' and not item.style.radius then
    return 'path', string.format('M%s %sh%sv%sh-%sz', plain(item.x),
      plain(item.y), plain(item.w), plain(item.h), plain(item.w))
  elseif item.kind == 'path' then
    return 'path', points_path(item.points, item.style.close)
  elseif item.kind == 'curve' then
    local p = {}
    for i, value in ipairs(item.points) do p[i] = plain(value) end
    return 'path', string.format('M%s %sC%s %s %s %s %s %s',
                                 table.unpack(p))
  elseif item.kind == 'rect' then
    return 'rect', string.format('x="%s" y="%s" width="%s" height="%s" rx="%s"',
      plain(item.x), plain(item.y), plain(item.w), plain(item.h),
      plain(item.style.radius))
  end
  return 'circle', string.format('cx="%s" cy="%s" r="%s"', plain(item.x),
                                 plain(item.y), plain(item.r))
end

-- Look of a shape. For the page, roles are classes; `used` collects them.
local function look(item, page, used)
  local style, classes, parts = item.style, {}, {}
  local function colour(kind, role)
    if page then
      classes[#classes + 1] = kind:sub(1, 1) .. '-' .. role:gsub('_', '-')
      used[classes[#classes]] = {kind, roles.page(role)}
    else
      parts[#parts + 1] = string.format('%s="%s"', kind, roles.print(role))
    end
  end
  if style.fill then colour('fill', style.fill) end
  if style.line then
    colour('stroke', style.line)
    parts[#parts + 1] = string.format('stroke-width="%s"',
                                      plain(style.weight or 1))
  end
  if style.tint then
    parts[#parts + 1] = string.format('fill-opacity="%.3g"', style.tint)
  end
  if style.dash then
    parts[#parts + 1] = string.format('stroke-dasharray="%s"',
                                      style.dash == true and '4 3' or style.dash)
  end
  if item.lane then
    parts[#parts + 1] = string.format('data-lane="%d"', item.lane)
  end
  if #classes > 0 then
    table.insert(parts, 1, string.format('class="%s"',
                                         table.concat(classes, ' ')))
  end
  return table.concat(parts, ' ')
end

local function text_tag(item, page, used)
  local x, y = item.x, item.y + text.drop * item.size
  if item.turn then x, y = item.x + text.drop * item.size, item.y end
  local parts = {string.format('x="%s" y="%s" font-size="%s"', plain(x),
                               plain(y), plain(item.size))}
  if item.align ~= 'left' then
    parts[#parts + 1] = string.format('text-anchor="%s"',
      item.align == 'right' and 'end' or 'middle')
  end
  if item.turn then
    parts[#parts + 1] = string.format('transform="rotate(-90 %s %s)"',
                                      plain(x), plain(y))
  end
  local halo = ''
  if item.style.halo then
    local role = item.style.halo == true and 'paper' or item.style.halo
    local around = look({style = {line = role, weight = 4}}, page, used)
    halo = string.format('<text %s %s stroke-linejoin="round" ' ..
      'aria-hidden="true">%s</text>\n', table.concat(parts, ' '), around,
      escape(item.said))
    if not page then halo = halo:gsub(' aria%-hidden="true"', '') end
  end
  local role = look({style = {fill = item.style.fill}, lane = item.lane}, page,
                    used)
  return string.format('%s<text %s %s>%s</text>', halo,
                       table.concat(parts, ' '), role, escape(item.said))
end

-- Shapes of one look that follow each other become one path.
local function tags(self, page, used)
  local lines, last, panel = {}, nil, nil
  for _, item in ipairs(self.items) do
    if page and item.panel ~= panel then
      if panel then lines[#lines + 1] = '</g>' end
      panel, last = item.panel, nil
      if panel then
        lines[#lines + 1] = '<g data-panel="' .. escape(panel) .. '">'
      end
    end
    if item.kind == 'text' then
      lines[#lines + 1] = text_tag(item, page, used)
      last = nil
    else
      local tag, shape = geometry(item)
      local style, tip = look(item, page, used), page and item.style.tip
      if tag == 'path' and last == style and not tip then
        lines[#lines] = lines[#lines]:gsub('"/>$', shape .. '"/>')
      else
        if tag == 'path' then shape = 'd="' .. shape .. '"' end
        lines[#lines + 1] = string.format('<%s %s %s%s', tag, style, shape,
          tip and '><title>' .. escape(tip) .. '</title></' .. tag .. '>' or
          '/>')
        last = tag == 'path' and not tip and style or nil
      end
    end
  end
  if panel then lines[#lines + 1] = '</g>' end
  return lines
end

-- about: id, title, page (false: print).
function Canvas:svg(about)
  local height = math.ceil(self.height or self.bottom + margin / 2)
  if not self.description then
    fail('no alt text', "say what one sees: d:alt('…')")
  end
  for _, box in ipairs(self.boxes) do
    if box.y2 > height + 0.01 then
      fail(string.format("'%s' leaves the drawing below: %.0f of %d units",
                         box.said, box.y2, height), 'move it up')
    end
  end
  local used = {}
  local body = table.concat(tags(self, about.page, used), '\n')
  if not about.page then
    local points = 14 * 72 / 2.54    -- the width of the print's text
    return string.format('<svg xmlns="http://www.w3.org/2000/svg" ' ..
      'viewBox="0 0 %d %d" width="%.2f" height="%.2f" fill="none" ' ..
      'font-family="Warp Sans">\n<title>%s</title>\n%s\n</svg>\n',
      self.width, height, points, points * height / self.width,
      escape(about.title), body)
  end
  return frame.svg({
    id = about.id, title = about.title, description = self.description,
    machines = about.machines, narrow = self.narrow,
    box = string.format('0 0 %d %d', self.width, height),
    most = self.width * 1.15}, used, body .. '\n')
end

return Canvas
