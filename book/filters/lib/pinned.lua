-- A claim says the shape of things: at least, faster than, about.  One that
-- wants a measured value to be equal to something, or compares it with a
-- number of many figures, only repeats today's run, and breaks with the next.

local diagnostics = require 'diagnostics'
local expression = require 'expression'
local units = require 'units'

local M = {}

local measured_quantities = {
  time = true, bandwidth = true, frequency = true, ['compute speed'] = true,
  share = true, rate = true,
}

-- Does a column hold what differs from run to run?
function M.is_measured(column)
  return measured_quantities[units.quantity(column) or ''] or
         column:match('%f[%a]share%f[%A]') ~= nil or
         column:match('%f[%a]speedup%f[%A]') ~= nil or
         column:match('%f[%a]cycles%f[%A]') ~= nil
end

-- The first query below `node` whose value differs from run to run.
local function measured(node)
  if node.kind == 'query' then return M.is_measured(node.column) and node end
  if node.kind == 'call' and node.name == 'count' then return nil end
  for _, part in ipairs(expression.parts(node)) do
    local found = measured(part)
    if found then return found end
  end
end

-- Figures that count: 0.95 has two, 1200 has two, 498.336 has six.
local function figures(text)
  local digits = text:gsub('[eE].*', ''):gsub('%.', ''):gsub('^0+', '')
  return #digits:gsub('0+$', '')
end

local function is_power_of_two(value)
  while value > 1 do value = value / 2 end
  while value > 0 and value < 1 do value = value * 2 end
  return value == 1
end

-- 1.05 says "5 % more": what counts are the figures of the difference.
local function is_round(node)
  if figures(node.text) <= 2 or is_power_of_two(node.value) then return true end
  local difference = math.abs(node.value - 1)
  return difference <= 0.1 and
         figures(string.format('%.6f', difference)) <= 2
end

local function check_literals(node, query)
  if node.kind == 'number' and not is_round(node) then
    diagnostics.throw(
      string.format("a claim about a measured value, %s, is pinned to %s",
                    query.text, node.text),
      'write it by shape: compare two results, or name a round bound of at ' ..
      'most two\nfigures that other runs keep, too')
  end
  for _, part in ipairs(expression.parts(node)) do
    check_literals(part, query)
  end
end

local equalities = {['=='] = true, ['~='] = true}

-- Throws if the claim whose expression's tree this is repeats a measurement.
function M.check(node)
  local compares = node.kind == 'binary' and
                   expression.comparisons[node.operator]
  if compares or node.kind == 'call' and node.name == 'about' then
    local query = measured(node)
    if not query then return end
    if equalities[node.operator] then
      diagnostics.throw(
        string.format("a claim wants a measured value, %s, to be %s",
                      query.text, node.operator == '==' and
                      'equal to something' or 'different from something'),
        'no two runs measure the same: write about(a, b, tolerance), or ' ..
        'compare by < or >')
    end
    return check_literals(node, query)
  end
  for _, part in ipairs(expression.parts(node)) do M.check(part) end
end

return M
