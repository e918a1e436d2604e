-- Makes gnuplot's SVG fit to be part of a page (page.lua), run in draw's folder:
--
--   svg.lua ID wide|narrow TITLE SCRIPT MACHINES DESCRIPTION gnuplot.svg
--
-- Text and axes get the page's text colour (currentColor); each other colour is a
-- class of this figure with the CSS property --fig-<name> and the colour of
-- style.gp as its default. The background is the page's. What says nothing is
-- left out, and shapes of one look that follow each other become one.

local here = arg[0]:match('^(.*)/')
package.path = here .. '/?.lua;' .. here .. '/../drawing/?.lua;' .. package.path

local page = require 'page'
local roles = require 'roles'
local widths = require 'widths'

local id, form, title, script, machines, description, path =
  table.unpack(arg)
local own_id = page.id(id, form == 'narrow')

local function fail(message)
  io.stderr:write(script, ': error: ', message, '\n')
  os.exit(1)
end

-- ---- Letters: all in the book's font, or print and page would take them from
-- whatever font the machine has.

local in_font = {}
for _, letters in pairs(widths) do
  for _, code in utf8.codes(letters) do in_font[code] = true end
end

local function check_letters(said)
  for _, code in utf8.codes(said) do
    if not in_font[code] then
      fail(string.format("'%s' has a letter that the font lacks: %s (U+%04X)",
                         said, utf8.char(code), code) ..
           '\n  use another sign, or add it (book/fonts/README.md)')
    end
  end
end

-- ---- Reading: nodes {tag, children, attributes: [name] = value, in order} ----

local Node = {}
Node.__index = Node

function Node:set(name, value, first)
  self:remove(name)
  table.insert(self.order, first and 1 or #self.order + 1, name)
  self.value[name] = value
end

function Node:remove(name)
  for i, other in ipairs(self.order) do
    if other == name then table.remove(self.order, i) end
  end
  self.value[name] = nil
end

local function node(tag, attributes)
  local self = setmetatable({tag = tag, order = {}, value = {}, children = {}},
                            Node)
  for name, _, value in attributes:gmatch('([%w:_-]+)%s*=%s*(["\'])(.-)%2') do
    value = value:gsub('%s+', ' '):gsub(' $', '')
    self:set(name:gsub('^xlink:', ''), value)
  end
  return self
end

-- What the look of two nodes has in common, as text: all attributes but one.
function Node:look(except)
  local parts = {self.tag}
  for _, name in ipairs(self.order) do
    if name ~= except then
      parts[#parts + 1] = string.format('%s="%s"', name, self.value[name])
    end
  end
  return table.concat(parts, ' ')
end

-- A text is one piece, whatever spans gnuplot puts inside; spans that say nothing
-- of the letters go.
local function text_node(inner)
  inner = inner:gsub('<tspan[^>]*fill="none"[^>]*>[^<]*</tspan>', ' ')
  local says = inner:find('<tspan[^>]*font%-style') or
               inner:find('<tspan[^>]*font%-weight') or
               inner:find('<tspan[^>]*font%-size') or
               inner:find('<tspan[^>]*baseline') or
               inner:find('<tspan[^>]*dy=')
  if not says then inner = inner:gsub('</?tspan[^>]*>', '') end
  local self = node('text', '')
  self.text = inner:match('^ *(.-) *$')
  check_letters((self.text:gsub('<[^>]*>', '')))
  return self
end

-- The body as one node, and gnuplot's point symbols by name.
local function read(text)
  local head, body = text:match('<svg(.-)>(.*)</svg>')
  if not head then fail('gnuplot wrote no picture') end
  local symbols = {}
  body = body:gsub('<defs>(.-)</defs>', function(definitions)
    for tag, attributes in definitions:gmatch('<(%w+)(.-)/?>') do
      local symbol = node(tag, attributes)
      if symbol.value.id then symbols[symbol.value.id] = symbol end
    end
    return ''
  end)
  local root = node('g', '')
  local open, at = {root}, 1
  while not body:find('^%s*$', at) do
    local _, stop, close, tag, rest = body:find('^%s*<(/?)([%w:]+)(.-)>', at)
    if not tag then
      fail("cannot read gnuplot's SVG at: " .. body:sub(at, at + 80))
    end
    at = stop + 1
    local children = open[#open].children
    if close == '/' then
      open[#open] = nil
    elseif tag == 'text' or tag == 'title' or tag == 'desc' then
      local first, last = body:find('</' .. tag .. '>', at, true)
      if tag == 'text' then
        children[#children + 1] = text_node(body:sub(at, first - 1))
      end
      at = last + 1
    else
      children[#children + 1] = node(tag, rest)
      if rest:sub(-1) ~= '/' then open[#open + 1] = children[#children] end
    end
  end
  return root, symbols, node('svg', head).value.viewBox
end

-- ---- Cleaning ---------------------------------------------------------------

local names_of = {}     -- "#0072b2" → "1"
for name, hex in pairs(roles.colours) do names_of[hex] = name end

local names = {black = '#000000', white = '#ffffff', gray = '#c0c0c0'}

-- "rgb( 0, 114, 178)", "#0072b2" or a name that gnuplot uses, as "#rrggbb".
local function hex_of(colour)
  local r, g, b = colour:match('^rgb%(%s*(%d+),%s*(%d+),%s*(%d+)%)')
  if r then return string.format('#%02x%02x%02x', r, g, b) end
  return names[colour] or colour:lower()
end

local classes = {}

-- Turns a colour into the class that stands for it.
local function paint(self, property, own)
  local value = self.value[property]
  if not value or value == 'none' or value == 'currentColor' then return end
  self:remove(property)
  local name = names_of[hex_of(value)] or
    fail('colour ' .. value .. ' is not one of figures/common/style.gp; use a ' ..
         "colour_… from there, so that the page's theme can change it")
  if name == 'paper' or name == 'ink' then
    if property ~= 'color' then
      self:set(property, name == 'paper' and 'none' or 'currentColor')
    end
    return
  end
  local class = property:sub(1, 1) .. '-' .. name
  own[#own + 1] = class
  classes[class] = {property, string.format('var(--fig-%s,%s)', name,
                                            roles.colours[name])}
  self:set(property, roles.colours[name])
end

local function clean(self)
  if self.value['shape-rendering'] then self:remove('stroke') end
  for _, name in ipairs {'class', 'font-family', 'stroke-linecap',
                         'stroke-linejoin', 'shape-rendering'} do
    self:remove(name)
  end
  if self.tag == 'polygon' and not self.value.stroke then
    self:set('stroke', 'none', true)
  end
  local link = self.value.href
  if link and link:find('^#') then
    self.value.href = '#' .. own_id .. '-' .. link:sub(2)
  end
  local own = {}
  paint(self, 'fill', own)
  paint(self, 'stroke', own)
  paint(self, 'color', own)
  if #own > 0 then self:set('class', table.concat(own, ' ')) end
  if self.tag ~= 'g' then return end
  -- What the root already says.
  for name, value in pairs {fill = 'none', stroke = 'currentColor',
                            ['stroke-width'] = '1.00'} do
    if self.value[name] == value then self:remove(name) end
  end
  if self.value.id then self:remove('id') end
end

-- Does a group that only sets the stroke hold anything that is stroked?
local function strokes(self)
  for _, child in ipairs(self.children) do
    if child.tag == 'g' and strokes(child) or
       child.tag ~= 'g' and child.tag ~= 'text' and
       child.value.stroke ~= 'none' then
      return true
    end
  end
  return false
end

local function says_nothing(group)
  return #group.order == 0 or #group.order == 1 and
         group.value['stroke-width'] and not strokes(group)
end

-- ---- Joining ----------------------------------------------------------------

-- The points of a polygon as a path; shorter for a rectangle.
local function path_of(points)
  local x, y, n = {}, {}, page.number
  for px, py in points:gmatch('([^%s,]+),(%S+)') do
    x[#x + 1], y[#y + 1] = px, py
  end
  local first = 'M' .. n(x[1]) .. ' ' .. n(y[1])
  if #x == 4 and y[1] == y[2] and x[2] == x[3] and y[3] == y[4] and
     x[4] == x[1] then
    return first .. 'h' .. n(x[2] - x[1]) .. 'v' .. n(y[3] - y[2]) .. 'h' ..
           n(x[1] - x[2]) .. 'z'
  end
  for i = 2, #x do first = first .. 'L' .. n(x[i]) .. ' ' .. n(y[i]) end
  return first .. 'z'
end

-- Adds a node to those of a group, or to the last of them if that is alike.
local function add(list, self)
  local last = list[#list]
  if self.tag == 'polygon' or self.tag == 'path' then
    local shape = self.tag == 'path' and self.value.d or
                  path_of(self.value.points)
    self:remove(self.tag == 'path' and 'd' or 'points')
    self.tag = 'path'
    if last and last.tag == 'path' and last:look('d') == self:look() then
      last.value.d = last.value.d .. shape
      return
    end
    self:set('d', shape)
  elseif self.tag == 'g' and last and last:look() == self:look() then
    for _, child in ipairs(self.children) do add(last.children, child) end
    return
  end
  list[#list + 1] = self
end

-- Points of one look that follow each other share a group for it.
local function grouped(list)
  local found = {}
  for _, self in ipairs(list) do
    if self.tag == 'use' then
      local group, last = node('g', ''), found[#found]
      for _, name in ipairs {'color', 'class'} do
        if self.value[name] then group:set(name, self.value[name]) end
        self:remove(name)
      end
      group.is_joined = true
      if last and last.is_joined and last:look() == group:look() then
        group = last
      else
        found[#found + 1] = group
      end
      group.children[#group.children + 1] = self
    else
      found[#found + 1] = self
    end
  end
  return found
end

-- The children of a group, cleaned; empty ones are gone, and the children of
-- groups that say nothing are in their place.
local function tidy(self)
  local list = {}
  for _, child in ipairs(self.children) do
    if child.tag == 'text' then
      if child.text ~= '' then add(list, child) end
    elseif child.tag == 'g' then
      clean(child)
      child.children = tidy(child)
      if says_nothing(child) then
        for _, grandchild in ipairs(child.children) do add(list, grandchild) end
      elseif #child.children > 0 then
        add(list, child)
      end
    -- The page is the background; a path may be one point, which shows nothing.
    elseif not (child.tag == 'rect' and child.value.x == '0') and
           not (child.value.d or ''):find('^M[-%d.,]+$') then
      clean(child)
      add(list, child)
    end
  end
  return list
end

-- ---- Writing ----------------------------------------------------------------

local function write(lines, self)
  if self.tag == 'g' and #self.children == 1 and
     self.children[1].tag == 'text' then
    self.tag, self.text = 'text', self.children[1].text
  end
  if self.text then
    lines[#lines + 1] = '<' .. self:look() .. '>' .. self.text .. '</text>'
  elseif self.tag == 'g' then
    lines[#lines + 1] = '<' .. self:look() .. '>'
    local inside = self.is_joined and self.children or grouped(self.children)
    for _, child in ipairs(inside) do write(lines, child) end
    lines[#lines + 1] = '</g>'
  else
    lines[#lines + 1] = '<' .. self:look() .. '/>'
  end
end

-- The point symbols that the body shows, and those that these show.
local function definitions(symbols, body)
  local wanted, lines = {}, {}
  local function want(name)
    wanted[name] = true
    local other = (symbols[name].value.href or ''):match('^#(.*)')
    if other then want(other) end
  end
  for name in body:gmatch('href="#' .. own_id:gsub('%p', '%%%0') ..
                          '%-(gp%w+)"') do
    want(name)
  end
  for i = 0, 15 do
    local name = i == 15 and 'gpDot' or 'gpPt' .. i
    if wanted[name] then
      local symbol = symbols[name]
      local other = (symbol.value.href or ''):match('^#(.*)')
      if other then symbol.value.href = '#' .. own_id .. '-' .. other end
      symbol.value.id = own_id .. '-' .. name
      write(lines, symbol)
    end
  end
  if #lines == 0 then return '' end
  return '<defs>\n' .. table.concat(lines, '\n') .. '\n</defs>\n'
end

local file = assert(io.open(path, 'rb'))
local root, symbols, box = read(file:read('a'))
file:close()
root.children = tidy(root)
local lines = {}
for _, child in ipairs(grouped(root.children)) do write(lines, child) end
local body = table.concat(lines, '\n') .. '\n'
-- It may grow a little beyond its units on a wide page.
io.write(page.svg({
  id = id, title = title, description = description, machines = machines,
  narrow = form == 'narrow', box = box, stroke = 'currentColor',
  most = box:match('^%S+ %S+ (%S+)') * (form == 'narrow' and 1.4 or 1.2),
}, classes, definitions(symbols, body) .. body))
