-- Numbers as the book prints them: 12 345.6 GB/s, with a narrow no-break
-- space between groups of three from five digits on and before the unit, and
-- a true minus sign.

local diagnostics = require 'diagnostics'

local need = diagnostics.need

local M = {}

M.narrow = '\u{202F}'
M.minus = '\u{2212}'

local function group(digits)
  if #digits < 5 then return digits end
  local head = #digits % 3
  local parts = {}
  if head > 0 then parts[1] = digits:sub(1, head) end
  for i = head + 1, #digits, 3 do parts[#parts + 1] = digits:sub(i, i + 2) end
  return table.concat(parts, M.narrow)
end

-- Decimals that show `significant` figures, after rounding: 99.96 with three
-- figures is 100, not 100.0.
local function decimals_for(value, significant)
  if value == 0 then return 0 end
  local exponent = tonumber(
    string.format('%.' .. (significant - 1) .. 'e', value):match('e(.*)$'))
  return math.max(0, significant - 1 - exponent)
end

-- 3841.7 with two figures is 3800.
local function to_significant(value, significant)
  return tonumber(string.format('%.' .. (significant - 1) .. 'e', value))
end

local function whole(value)
  return value == math.floor(value) and math.abs(value) < 1e15
end

-- Neither digits nor significant given: whole numbers as they are, others
-- with three figures.
local function plain(value, digits, significant)
  if not digits and not significant then
    if whole(value) then digits = 0 else significant = 3 end
  end
  if significant then
    value = to_significant(value, significant)
    digits = decimals_for(value, significant)
  end
  return string.format('%.' .. digits .. 'f', value)
end

-- Digits are chosen for the reference's numbers. Of a machine a hundred times
-- slower or faster they may leave a 0: two figures are shown at least.
local function figures_left(value, digits)
  return whole(value) or math.abs(value) >= 9.5 * 10 ^ -digits
end

function M.number(value, options, of_reader)
  local digits, significant = options.digits, options.significant
  if of_reader and digits and not figures_left(value, digits) then
    digits, significant = nil, 2
  end
  local text = plain(value, digits, significant)
  local sign, integer, rest = text:match('^(-?)(%d+)(.*)$')
  if not text:match('[1-9]') then sign = '' end
  return (sign == '-' and M.minus or '') .. group(integer) .. rest
end

local function count_of(name, text, least)
  if text == nil then return nil end
  local value = math.tointeger(tonumber(text))
  if not value or value < least or value > 15 then
    diagnostics.throw(
      string.format('%s="%s" is not a whole number from %d to 15', name, text,
                    least), 'correct it')
  end
  return value
end

-- Attributes of a result → options for M.value.
function M.options(attributes)
  local options = {
    digits = count_of('digits', attributes.digits, 0),
    significant = count_of('significant', attributes.significant, 1),
    unit = attributes.unit,
    scale = 1,
  }
  need(not (options.digits and options.significant),
       'both digits and significant are given', 'leave one out')
  if attributes.scale then
    options.scale = tonumber(attributes.scale)
    need(options.scale,
         string.format('scale="%s" is not a number', attributes.scale),
         'correct it')
  end
  options.factor = options.scale
  if attributes.percent then
    need(attributes.percent == 'true', 'percent="' .. attributes.percent .. '"',
         'write percent=true, or leave it out')
    need(not options.unit, 'both unit and percent are given', 'leave one out')
    options.factor = options.scale * 100
    options.unit = '%'
  end
  return options
end

-- A value of an expression as text.
function M.value(value, options, of_reader)
  if type(value) == 'string' then return value end
  local text = M.number(value * options.factor, options, of_reader)
  if options.unit then text = text .. M.narrow .. options.unit end
  return text
end

return M
