-- Where the names in a chart go.

local csv = require 'csv'

local labels = {}

-- spread "0.9 0.88 0.2" GAP: heights (fractions of an axis) that are at least
-- `gap` apart, in the same order and near where they were. Where many are at one
-- end of the axis, none is pushed beyond it by more than `over`.
function labels.spread(heights, gap)
  local h, order = {}, {}
  gap = tonumber(gap)
  for height in heights:gmatch('%S+') do
    h[#h + 1] = tonumber(height)
    order[#h] = #h
  end
  table.sort(order, function(a, b)
    return h[a] < h[b] or h[a] == h[b] and a < b
  end)
  local lowest, highest = h[order[1]], h[order[#h]]
  -- Labels that touch share their distance around their middle.
  for _ = 1, 200 do
    for i = 2, #h do
      local lower, upper = order[i - 1], order[i]
      local short = gap - (h[upper] - h[lower])
      if short > 0 then
        h[upper], h[lower] = h[upper] + short / 2, h[lower] - short / 2
      end
    end
  end
  -- Back from beyond the ends, the others making way.
  local over = 0.4 * gap
  local least, most = math.min(lowest, 0) - over / 4, math.max(highest, 1) + over
  if #h * gap < most - least then
    for i = #h, 1, -1 do
      h[order[i]] = math.min(h[order[i]], most)
      most = h[order[i]] - gap
    end
    for i = 1, #h do
      h[order[i]] = math.max(h[order[i]], least)
      least = h[order[i]] + gap
    end
  end
  for i = 1, #h do h[i] = string.format('%.4f', h[i]) end
  print(table.concat(h, ' '))
end

-- ---- Names of a roofline's points -------------------------------------------
--
--   names CSV WHERE X LOW HIGH WIDTH Y LOW HIGH HEIGHT [VERSION…]
--
-- prints version,label_x,label_y and the line from from_x,from_y by by_x,by_y
-- (0,0: none), on the axes' scales, for all points or those of some versions. Each
-- name goes to the right of its point or, if another name is there, to the nearest
-- place above or below; one that is not beside its point gets a line to it. Points
-- outside of the axes have no name. X and Y are columns, WIDTH and HEIGHT the
-- panel's. `slugs` with the same words prints the slugs of the points.

local letter, line, gap = 6.2, 11, 6   -- a wide sans serif of 10 pixels

-- A logarithmic axis: from a value to a place on it, and back.
local function axis(column, low, high, length)
  low, high = tonumber(low), tonumber(high)
  local decades = math.log(high / low)
  return {
    column = column, length = tonumber(length),
    holds = function(v) return v and v >= low and v <= high end,
    place = function(v) return length * math.log(v / low) / decades end,
    value = function(at) return low * math.exp(at / length * decades) end,
  }
end

local function points(path, where, x, y)
  local table_, list = csv.read(path), {}
  for _, row in ipairs(table_:select(where)) do
    local function of(name) return row[table_:column(name)] end
    local at_x, at_y = tonumber(of(x.column)), tonumber(of(y.column))
    if x.holds(at_x) and y.holds(at_y) then
      list[#list + 1] = {x = x.place(at_x), y = y.place(at_y),
                         slug = of('slug'), version = of('version')}
    end
  end
  return list
end

-- The box of the name of a point: on its right or left, so far above or below,
-- wherever none of the others is.
local function place(point, boxes, x, y)
  local wide = #point.version * letter
  local function box(side, above)
    local middle = point.y + above
    return {left = side > 0 and point.x + gap or point.x - gap - wide,
            wide = wide, below = middle - line / 2, high = line,
            middle = middle, side = side}
  end
  local function is_free(a)
    if a.left <= 0 or a.left + wide >= x.length or a.below <= 0 or
       a.below + line >= y.length then
      return false
    end
    for _, b in ipairs(boxes) do
      if a.left < b.left + b.wide and a.left + wide > b.left and
         a.below < b.below + b.high and a.below + line > b.below then
        return false
      end
    end
    return true
  end
  for step = 0, 39 do
    for _, up in ipairs {1, -1} do
      for _, side in ipairs {1, -1} do
        local found = box(side, up * step * line / 4)
        if is_free(found) then return found end
      end
    end
  end
  return box(1, 0)
end

-- From the rim of the point to the end of its name; none for a neighbour.
local function line_to(point, box, x, y)
  local end_x = box.side > 0 and box.left - 1 or box.left + box.wide + 1
  local dx, dy = end_x - point.x, box.middle - point.y
  local length = math.sqrt(dx * dx + dy * dy)
  if length < 1.4 * line then
    return x.value(point.x), y.value(point.y), 0, 0
  end
  local from_x = x.value(point.x + 4 / length * dx)
  local from_y = y.value(point.y + 4 / length * dy)
  return from_x, from_y, x.value(end_x) - from_x, y.value(box.middle) - from_y
end

function labels.names(path, where, x_column, x_low, x_high, width, y_column,
                      y_low, y_high, height, ...)
  local x = axis(x_column, x_low, x_high, width)
  local y = axis(y_column, y_low, y_high, height)
  local all, boxes, chosen = points(path, where, x, y), {}, {}
  for _, version in ipairs {...} do chosen[version] = true end
  for i, p in ipairs(all) do
    boxes[i] = {left = p.x - 4, wide = 8, below = p.y - 4, high = 8}
  end
  print('version,label_x,label_y,from_x,from_y,by_x,by_y')
  for _, point in ipairs(all) do
    if not next(chosen) or chosen[point.version] then
      local box = place(point, boxes, x, y)
      boxes[#boxes + 1] = box
      local name = point.version:gsub('_', ' ')
      print(string.format('%s,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g', name,
                          x.value(box.left),
                          y.value(box.middle), line_to(point, box, x, y)))
    end
  end
end

function labels.slugs(path, where, x_column, x_low, x_high, width, y_column,
                      y_low, y_high, height)
  local list, known = {}, {}
  for _, point in ipairs(points(path, where,
                                axis(x_column, x_low, x_high, width),
                                axis(y_column, y_low, y_high, height))) do
    if not known[point.slug] then list[#list + 1] = point.slug end
    known[point.slug] = true
  end
  print(table.concat(list, ' '))
end

return labels
