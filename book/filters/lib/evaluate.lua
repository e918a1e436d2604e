-- Computes an expression's tree against the results of one machine, keeping
-- note of every query's value and file.

local conditions = require 'conditions'
local diagnostics = require 'diagnostics'
local results = require 'results'
local settings = require 'settings'

local M = {}

-- `within`: the function that made one value of `count` rows.
local function note(context, node, value, file, within, count)
  context.queries[#context.queries + 1] = {
    text = within and within .. '(' .. node.text .. ')' or node.text,
    node = node, value = value, file = file, within = within, count = count}
end

local function locate(context, node)
  return results.locate(node.slug, node.experiment, node.machine,
                        context.mine)
end

local function head_value(context, node, key)
  local file = locate(context, node)
  local value = file.head[key]
  if not value then
    diagnostics.throw(string.format("%s has no '# %s:' line", file.path, key),
                      'see the keys in its head')
  end
  value = tonumber(value) or value
  note(context, node, value, file)
  return value
end

local function query_values(context, node, several, empty)
  local file = locate(context, node)
  local index = results.column(file, node.column)
  local values = {}
  for _, row in ipairs(results.select(file, node.where, several, empty)) do
    values[#values + 1] = results.value(file, row, index)
  end
  return values, file
end

local function query_value(context, node)
  local key = node.column:match('^#(.*)')
  if key then return head_value(context, node, key) end
  local values, file = query_values(context, node, false)
  note(context, node, values[1], file)
  return values[1]
end

local function shown(value)
  return type(value) == 'string' and '"' .. value .. '"' or tostring(value)
end

local function need(kind, value, what)
  if type(value) ~= kind then
    local word = kind == 'number' and 'a number' or 'true or false'
    diagnostics.throw(string.format('%s needs %s, but has %s', what, word,
                                    shown(value)),
                      'correct the expression')
  end
  return value
end

-- ---- Functions ----------------------------------------------------------

local function median(values)
  local list = {table.unpack(values)}
  table.sort(list)
  local middle = #list // 2
  if #list % 2 == 1 then return list[middle + 1] end
  return (list[middle] + list[middle + 1]) / 2
end

local aggregates = {
  min = function(list) return math.min(table.unpack(list)) end,
  max = function(list) return math.max(table.unpack(list)) end,
  count = function(list) return #list end,
  median = median,
  sum = function(list)
    local total = 0
    for _, value in ipairs(list) do total = total + value end
    return total
  end,
}

function M.aggregate(name, list)
  if name ~= 'count' then
    for _, value in ipairs(list) do need('number', value, name) end
  end
  return aggregates[name](list)
end

local value_of

local function gather(context, node)
  local list = {}
  for _, argument in ipairs(node.arguments) do
    if argument.kind == 'query' and argument.column:sub(1, 1) ~= '#' then
      local values, file =
        query_values(context, argument, true, node.name == 'count')
      note(context, argument, M.aggregate(node.name, values), file, node.name,
           #values)
      for _, value in ipairs(values) do list[#list + 1] = value end
    else
      list[#list + 1] = value_of(context, argument)
    end
  end
  return list
end

local function call(context, node)
  if aggregates[node.name] then
    return M.aggregate(node.name, gather(context, node))
  end
  local values = {}
  for i, argument in ipairs(node.arguments) do
    values[i] = need('number', value_of(context, argument), node.name)
  end
  if node.name == 'abs' then return math.abs(values[1]) end
  -- about(a, b, tolerance): a differs from b by at most that share of b.
  return math.abs(values[1] - values[2]) <= values[3] * math.abs(values[2])
end

-- ---- Operators ----------------------------------------------------------

local operators = {
  ['+'] = function(a, b) return a + b end,
  ['-'] = function(a, b) return a - b end,
  ['*'] = function(a, b) return a * b end,
  ['/'] = function(a, b)
    if b == 0 then
      diagnostics.throw('division by zero', 'correct the expression')
    end
    return a / b
  end,
  ['and'] = function(a, b) return a and b end,
  ['or'] = function(a, b) return a or b end,
}

local function equality(operator, a, b)
  if type(a) ~= type(b) then
    diagnostics.throw(string.format('%s and %s cannot be equal: one is a ' ..
                      'number, one is text', shown(a), shown(b)),
                      'correct the expression')
  end
  return (a == b) == (operator == '==')
end

-- Both sides of `and` and `or` are computed: a misspelt query on the side
-- that does not decide must not stay hidden.
local function binary(context, node)
  local a, b = value_of(context, node[1]), value_of(context, node[2])
  local operator = node.operator
  if operator == '==' or operator == '~=' then
    return equality(operator, a, b)
  end
  local kind = (operator == 'and' or operator == 'or') and 'boolean' or 'number'
  local f = operators[operator] or conditions.compare[operator]
  return f(need(kind, a, operator), need(kind, b, operator))
end

function value_of(context, node)
  if node.kind == 'number' or node.kind == 'text' then return node.value end
  if node.kind == 'query' then return query_value(context, node) end
  if node.kind == 'call' then return call(context, node) end
  if node.kind == 'binary' then return binary(context, node) end
  local value = value_of(context, node[1])
  if node.kind == 'negate' then return -need('number', value, '-') end
  return not need('boolean', value, 'not')
end

-- Returns {value, queries, tree}; `mine`: a reader's machine, whose results come
-- first where there are some.
function M.tree(tree, mine)
  local context = {mine = mine, queries = {}, tree = tree}
  context.value = value_of(context, tree)
  return context
end

-- The first query that a reader's machine answered, if any.
function M.is_readers(outcome)
  for _, query in ipairs(outcome.queries) do
    if query.file.readers and not query.node.machine then return query end
  end
end

-- What each reader's machine gives that has measured what is asked for.
-- `compute(mine, …)` returns an outcome or throws.
function M.of_readers(compute, ...)
  local list = {}
  for _, machine in ipairs(settings.machines) do
    local ok, outcome = pcall(compute, machine, ...)
    if ok and M.is_readers(outcome) then list[#list + 1] = outcome end
  end
  return list
end

return M
