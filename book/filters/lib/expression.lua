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

local function token_at(text, position, short)
  local token, after = query_at(text, position, short)
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
  local after, list = 1, {}
  while true do
    local from = state.text:match('^%s*()', after)
    if from > #state.text then return list end
    local token
    token, after = token_at(state.text, from, state.scope)
    if not token then
      throw(state, "cannot read '" .. state.text:sub(from) .. "'")
    end
    list[#list + 1] = token
  end
end

-- ---- Grammar ------------------------------------------------------------

local parse_level

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
    throw(state, string.format("unknown function '%s'", name),
          suggest.among(name, suggest.keys(M.functions), 'there are:'))
  end
  local node = {kind = 'call', name = name, arguments = {}}
  expect(state, '(')
  repeat
    node.arguments[#node.arguments + 1] = parse_level(state, 1)
  until not accept(state, ',')
  expect(state, ')')
  if arity ~= true and #node.arguments ~= arity then
    throw(state, string.format('%s takes %d argument%s', name, arity,
                               arity == 1 and '' or 's'))
  end
  return node
end

local function query_of(state, token)
  if not token.slug then
    token.slug = state.scope.slug
    token.text = token.slug .. '/' .. token.text
  end
  token.where = conditions.parse(token.conditions or '')
  return token
end

-- What a name of the chapter's stands for.
local function named(state, name)
  return state.scope.resolve(name) or
         throw(state, string.format("nothing above is called '%s'", name),
               'define it on a line of its own, above this one')
end

local function parse_primary(state)
  local token = peek(state)
  if not token then throw(state, 'something is missing at the end') end
  state.next = state.next + 1
  if token.kind == 'number' or token.kind == 'text' then return token end
  if token.kind == 'query' then return query_of(state, token) end
  if token.kind == 'word' and not operators[token.text] then
    if state.scope and not M.functions[token.text] then
      return named(state, token.text)
    end
    return parse_call(state, token.text)
  end
  if token.text == '(' then
    local node = parse_level(state, 1)
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

M.comparisons = {['=='] = true, ['~='] = true, ['<='] = true, ['>='] = true,
                 ['<'] = true, ['>'] = true}

-- Operators that take two, from those that bind least. Of comparisons there is
-- one at most.
local levels = {
  {['or'] = true}, {['and'] = true},
  M.comparisons, {['+'] = true, ['-'] = true}, {['*'] = true, ['/'] = true},
}

function parse_level(state, n)
  local level = levels[n]
  if not level then return parse_unary(state) end
  if level == M.comparisons and accept(state, 'not') then
    return {kind = 'not', parse_level(state, n)}
  end
  local node = parse_level(state, n + 1)
  repeat
    local token = peek(state)
    local operator = token and level[token.text] and token.text
    if not operator or not accept(state, operator) then return node end
    node = {kind = 'binary', operator = operator, node,
            parse_level(state, n + 1)}
  until level == M.comparisons
  return node
end

-- The nodes below one.
function M.parts(node)
  if node.kind == 'query' then return {} end
  return node.kind == 'call' and node.arguments or node
end

-- The tree of a text. Within a chapter's definitions `scope` has its slug, which
-- a query may leave out, and resolve(name), the tree that a name stands for.
function M.parse(text, scope)
  local state = {text = text:match('^%s*(.-)%s*$'), next = 1, scope = scope}
  state.tokens = tokens_of(state)
  local node = parse_level(state, 1)
  local rest = peek(state)
  if rest then
    throw(state, string.format("'%s' is out of place", rest.text))
  end
  return node
end

-- ---- A tree as text ----------------------------------------------------------

-- How strongly a node binds: the number of its level, a larger one for what
-- needs no parentheses.
local function level_of(node)
  if node.kind == 'not' then return 3 end
  for n, level in ipairs(levels) do
    if level[node.operator or ''] then return n end
  end
  return #levels + 1
end

local function within(node, least)
  local text = M.text(node)
  return level_of(node) < least and '(' .. text .. ')' or text
end

function M.text(node)
  if node.kind == 'text' then return '"' .. node.text .. '"' end
  if node.text then return node.text end
  if node.kind == 'negate' then return '-' .. within(node[1], #levels + 1) end
  if node.kind == 'not' then return 'not ' .. within(node[1], 3) end
  if node.kind == 'call' then
    local parts = {}
    for i, part in ipairs(node.arguments) do parts[i] = M.text(part) end
    return node.name .. '(' .. table.concat(parts, ', ') .. ')'
  end
  local n = level_of(node)
  local left = levels[n] == M.comparisons and n + 1 or n
  return within(node[1], left) .. ' ' .. node.operator .. ' ' ..
         within(node[2], n + 1)
end

return M
