-- `key=value, …` in queries and in `where`: which rows are meant.
-- = != < <= > >= compare; `version=tile|padded` allows several values.

local diagnostics = require 'diagnostics'

local M = {}

local compare = {
  ['='] = function(a, b) return a == b end,
  ['!='] = function(a, b) return a ~= b end,
  ['<'] = function(a, b) return a < b end,
  ['<='] = function(a, b) return a <= b end,
  ['>'] = function(a, b) return a > b end,
  ['>='] = function(a, b) return a >= b end,
}

local function parse_one(text)
  local key, operator, value =
    text:match('^%s*([%w_]+)%s*([=!<>]=?)%s*(.-)%s*$')
  if operator == '==' then operator = '=' end
  if not key or value == '' or not compare[operator] then
    diagnostics.throw(string.format("cannot read the condition '%s'", text),
                      'write column=value, several separated by commas')
  end
  return {key = key, operator = operator, value = value,
          text = key .. operator .. value}
end

function M.parse(text)
  local list = {}
  if text:match('^%s*$') then return list end
  for part in (text .. ','):gmatch('([^,]*),') do
    list[#list + 1] = parse_one(part)
  end
  return list
end

-- "1e6" and "1000000" are the same number; all else compares as text.
local function holds(cell, operator, value)
  local a, b = tonumber(cell), tonumber(value)
  if a and b then return compare[operator](a, b) end
  if operator == '=' or operator == '!=' then
    return compare[operator](cell, value)
  end
  return false
end

local function matches(cell, condition)
  if condition.operator ~= '=' then
    return holds(cell, condition.operator, condition.value)
  end
  for value in condition.value:gmatch('[^|]+') do
    if holds(cell, '=', value:match('^%s*(.-)%s*$')) then return true end
  end
  return false
end

function M.select(rows, list)
  local kept = {}
  for _, row in ipairs(rows) do
    local all = true
    for _, condition in ipairs(list) do
      all = all and matches(row[condition.index], condition)
    end
    if all then kept[#kept + 1] = row end
  end
  return kept
end

return M
