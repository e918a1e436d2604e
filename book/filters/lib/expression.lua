-- The language of results and claims: queries, numbers, "text", + - * / ( ),
-- == ~= < <= > >=, and or not, and the functions below.  A parser by recursive
-- descent makes a tree; `lib/evaluate.lua` computes it.

local diagnostics = require 'diagnostics'
local suggest = require 'suggest'
local conditions = require 'conditions'

local M = {}

-- Number of arguments; true: one or more, each of which may match many rows.
M.functions = {
  abs = 1, about = 3,
  min = true, max = true, sum = true, count = true, median = true,
}

local function throw(state, message, remedy)
  diagnostics.throw(
    string.format("%s in '%s'", message, state.text),
    remedy or 'see "Expressions" in book/README.md')
end

-- ---- Tokens -------------------------------------------------------------

local operators = {['and'] = true, ['or'] = true, ['not'] = true}

-- `short`: the slug may be missing.
local function query_at(text, position, short)
  local slug, experiment, column, after = text:match(
    '^(%a[%w_%-]*)/([%w_%-]+)%.(#?[%w_]+)()', position)
  if not slug and short then
    experiment, column, after = text:match('^(%a[%w_%-]*)%.(#?%a[%w_]*)()',
                                           position)
  end
  if not experiment then return nil end
  local token = {kind = 'query', slug = slug, experiment = experiment,
                 column = column, where = {}}
  local list, next_ = text:match('^%[([^%]]*)%]()', after)
  if list then
    token.conditions, after = list, next_
  end
  local machine
  machine, next_ = text:match('^@([%w_%-]+)()', after)
  if machine then
    token.machine, after = machine, next_
  end
  token.text = text:sub(position, after - 1)
  return token, after
end

local function number_at(text, position)
  local after = text:match('^%d+%.?%d*()', position) or
                text:match('^%.%d+()', position)
  if not after then return nil end
  after = text:match('^[eE][+-]?%d+()', after) or after
  local literal = text:sub(position, after - 1)
  return {kind = 'number', value = tonumber(literal), text = literal}, after
end

local function token_at(text, position)
  local token, after = query_at(text, position)
  if token then return token, after end
  token, after = number_at(text, position)
  if token then return token, after end
  local word
  word, after = text:match('^([%a_][%w_]*)()', position)
  if word then return {kind = 'word', text = word}, after end
  word, after = text:match('^"([^"]*)"()', position)
  if word then return {kind = 'text', value = word, text = word}, after end
  word, after = text:match('^([=~<>]=)()', position)
  if not word then word, after = text:match('^([-+*/()<>,])()', position) end
  if word then return {kind = 'sign', text = word}, after end
  return nil
end

local function tokens_of(state)
  local position, list = 1, {}
  while true do
    position = state.text:match('^%s*()', position)
    if position > #state.text then return list end
    local token, after = token_at(state.text, position)
    if not token then
      throw(state, "cannot read '" .. state.text:sub(position) .. "'")
    end
    list[#list + 1], position = token, after
  end
end

-- The text with everything written out: queries of the chapter's own slug,
-- `stride.gb_per_s[…]`, get it, and names become what `resolve(name)` gives for
-- them (nil: no such name).
function M.expand(text, slug, resolve)
  local state, parts, position = {text = text}, {}, 1
  local function expanded(token, piece)
    if token.kind == 'query' and not token.slug then return slug .. '/' .. piece end
    local is_name = token.kind == 'word' and not M.functions[token.text] and
                    not operators[token.text]
    if not is_name then return piece end
    local full = resolve(token.text)
    if not full then
      throw(state, string.format("nothing above is called '%s'", token.text),
            'define it on a line of its own, above this one')
    end
    local query = query_at(full, 1)
    return query and query.text == full and full or '(' .. full .. ')'
  end
  while true do
    local from = text:match('^%s*()', position)
    parts[#parts + 1] = text:sub(position, from - 1)
    if from > #text then return table.concat(parts) end
    local token, after = query_at(text, from, true)
    if not token then token, after = token_at(text, from) end
    if not token then throw(state, "cannot read '" .. text:sub(from) .. "'") end
    parts[#parts + 1] = expanded(token, text:sub(from, after - 1))
    position = after
  end
end

-- ---- Grammar ------------------------------------------------------------

local parse_or

local function peek(state) return state.tokens[state.next] end

local function accept(state, text)
  local token = peek(state)
  if token and token.text == text and
     (token.kind == 'sign' or token.kind == 'word') then
    state.next = state.next + 1
    return true
  end
  return false
end

local function expect(state, text)
  if accept(state, text) then return end
  local token = peek(state)
  throw(state, string.format("'%s' expected before %s", text,
        token and "'" .. token.text .. "'" or 'the end'))
end

local function parse_call(state, name)
  local arity = M.functions[name]
  if not arity then
    local follow = peek(state)
    if follow and follow.text == '/' then
      throw(state, string.format("no query can be read from '%s/'", name),
            'write <slug>/<experiment>.<column>[key=value]')
    end
    local names = {}
    for known in pairs(M.functions) do names[#names + 1] = known end
    table.sort(names)
    throw(state, string.format("unknown function '%s'", name),
          suggest.among(name, names, 'there are:'))
  end
  local node = {kind = 'call', name = name, arguments = {}}
  expect(state, '(')
  repeat
    node.arguments[#node.arguments + 1] = parse_or(state)
  until not accept(state, ',')
  expect(state, ')')
  if arity ~= true and #node.arguments ~= arity then
    throw(state, string.format('%s takes %d argument%s', name, arity,
                               arity == 1 and '' or 's'))
  end
  return node
end

local function parse_primary(state)
  local token = peek(state)
  if not token then throw(state, 'something is missing at the end') end
  state.next = state.next + 1
  if token.kind == 'number' or token.kind == 'text' then return token end
  if token.kind == 'query' then
    token.where = conditions.parse(token.conditions or '')
    return token
  end
  if token.kind == 'word' and token.text ~= 'and' and token.text ~= 'or' then
    return parse_call(state, token.text)
  end
  if token.text == '(' then
    local node = parse_or(state)
    expect(state, ')')
    return node
  end
  throw(state, string.format("'%s' is out of place", token.text))
end

local function parse_unary(state)
  if accept(state, '-') then
    return {kind = 'negate', parse_unary(state)}
  end
  return parse_primary(state)
end

local function parse_left(state, operators, parse_operand)
  local node = parse_operand(state)
  while true do
    local taken
    for _, operator in ipairs(operators) do
      if accept(state, operator) then
        taken = operator
        break
      end
    end
    if not taken then return node end
    node = {kind = 'binary', operator = taken, node, parse_operand(state)}
  end
end

local function parse_product(state)
  return parse_left(state, {'*', '/'}, parse_unary)
end

local function parse_sum(state)
  return parse_left(state, {'+', '-'}, parse_product)
end

local function parse_comparison(state)
  local node = parse_sum(state)
  for _, operator in ipairs {'==', '~=', '<=', '>=', '<', '>'} do
    if accept(state, operator) then
      return {kind = 'binary', operator = operator, node, parse_sum(state)}
    end
  end
  return node
end

local function parse_not(state)
  if accept(state, 'not') then return {kind = 'not', parse_not(state)} end
  return parse_comparison(state)
end

local function parse_and(state)
  return parse_left(state, {'and'}, parse_not)
end

function parse_or(state)
  return parse_left(state, {'or'}, parse_and)
end

function M.parse(text)
  local state = {text = text:match('^%s*(.-)%s*$'), next = 1}
  state.tokens = tokens_of(state)
  local node = parse_or(state)
  local rest = peek(state)
  if rest then
    throw(state, string.format("'%s' is out of place", rest.text))
  end
  return node
end

return M
