-- `key=value, …` in queries and in `where`: which rows are meant.
-- = != < <= > >= compare; `version=tile|padded` allows several values.

local diagnostics = require 'diagnostics'

local M = {}

M.compare = {
  ['='] = function(a, b) return a == b end,
  ['!='] = function(a, b) return a ~= b end,
  ['<'] = function(a, b) return a < b end,
  ['<='] = function(a, b) return a <= b end,
  ['>'] = function(a, b) return a > b end,
  ['>='] = function(a, b) return a >= b end,
}

-- "a|b" means one of several, but only with `=`.
local function values_of(text, operator)
  local values = {}
  for value in text:gmatch(operator == '=' and '[^|]+' or '.+') do
    value = value:match('^%s*(.-)%s*$')
    values[#values + 1] = {text = value, number = tonumber(value)}
  end
  return values
end

local function parse_one(text)
  local key, operator, value =
    text:match('^%s*([%w_]+)%s*([=!<>]=?)%s*(.-)%s*$')
  if operator == '==' then operator = '=' end
  if not key or value == '' or not M.compare[operator] then
    diagnostics.throw(string.format("cannot read the condition '%s'", text),
                      'write column=value, several separated by commas')
  end
  return {key = key, operator = operator, value = value,
          values = values_of(value, operator), text = key .. operator .. value}
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
  local number = value.number and tonumber(cell)
  if number then return M.compare[operator](number, value.number) end
  return (operator == '=' or operator == '!=') and
         M.compare[operator](cell, value.text)
end

local function matches(cell, condition)
  for _, value in ipairs(condition.values) do
    if holds(cell, condition.operator, value) then return true end
  end
end

local function matches_all(row, list)
  for _, condition in ipairs(list) do
    if not matches(row[condition.index], condition) then return false end
  end
  return true
end

function M.select(rows, list)
  local kept = {}
  for _, row in ipairs(rows) do
    if matches_all(row, list) then kept[#kept + 1] = row end
  end
  return kept
end

return M
