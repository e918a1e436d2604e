-- Text in a drawing: how wide it is in the book's own font, and what it may
-- say. A number with a unit has to come from a result.

local widths = {}
for width, letters in pairs(require 'widths') do
  for _, code in utf8.codes(letters) do widths[code] = width / 1000 end
end

local text = {sizes = {head = 15, text = 13.5, small = 12, tiny = 10.5}}

-- Above and below the middle of a line, in letter sizes: enough for capitals
-- and for descenders. The baseline is `drop` below the middle.
text.ascent, text.descent, text.drop = 0.42, 0.55, 0.35

local function fail(message, remedy)
  error({message = message, remedy = remedy}, 0)
end

-- Wide enough, in units of a drawing, at this size.
function text.width(said, size)
  local sum = 0
  for _, code in utf8.codes(said) do
    if not widths[code] then
      fail(string.format("'%s' has a letter that the font lacks: %s", said,
                         utf8.char(code)), 'use another sign')
    end
    sum = sum + widths[code]
  end
  return sum * size
end

-- Signs and words that make a number a quantity; in "i * 5 % 32" the sign is
-- an operator.
local units = {'GB/s', 'TB/s', 'KiB', 'MiB', 'GiB', 'MB', 'GB', 'cycles',
               'µs', 'ms', 'ns', '%%+%s*$', '%%+%s+%a', 'TFLOP', 'GFLOP',
               'percent', 'times'}

-- A text, or {format, value, …} with values from results.
function text.of(said)
  local format = type(said) == 'table' and said[1] or tostring(said)
  for _, unit in ipairs(units) do
    if format:find('%d%s*' .. unit) then
      fail(string.format("a typed number: '%s'", format),
           "take it from a result: {'%d …', row.column}")
    end
  end
  if type(said) ~= 'table' then return format end
  for i = 2, #said do
    if said[i] ~= said[i] then fail('not a number in "' .. format .. '"') end
  end
  local ok, made = pcall(string.format, table.unpack(said))
  if not ok then
    fail(string.format("a number is missing for '%s'", format),
         'give a value for each % of the text')
  end
  return made
end

-- A value with so many significant digits: 4314.3 -> "4300" with 2.
function text.number(value, digits)
  digits = digits or 3
  if value == 0 then return '0' end
  local places = digits - 1 - math.floor(math.log(math.abs(value), 10))
  local scale = 10 ^ places
  local rounded = math.floor(value * scale + 0.5) / scale
  return string.format('%.' .. math.max(0, places) .. 'f', rounded)
end

-- A whole number as the prose writes it: 2048, but 16 384.
function text.grouped(value)
  local digits = ('%d'):format(value)
  if #digits < 5 then return digits end
  return (digits:reverse():gsub('%d%d%d', '%0 '):reverse():gsub('^ ', ''))
end

-- The lines of a paragraph that are at most so wide.
function text.wrap(said, width, size)
  local lines, line = {}, nil
  for word in said:gmatch('%S+') do
    local longer = line and line .. ' ' .. word or word
    if line and text.width(longer, size) > width then
      lines[#lines + 1] = line
      line = word
    else
      line = longer
    end
    if text.width(line, size) > width then
      fail(string.format("'%s' is wider than its %.0f units", line, width),
           'use a shorter word, or more space')
    end
  end
  lines[#lines + 1] = line
  return lines
end

return text
