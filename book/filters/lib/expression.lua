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

-- Each with its place, `from` … `after`.
local function tokens_of(state, short)
  local after, list = 1, {}
  while true do
    local from = state.text:match('^%s*()', after)
    if from > #state.text then return list end
    local token
    token, after = token_at(state.text, from, short)
    if not token then
      throw(state, "cannot read '" .. state.text:sub(from) .. "'")
    end
    token.from, token.after = from, after
    list[#list + 1] = token
  end
end

-- The text with everything written out: queries of the chapter's own slug,
-- `stride.gb_per_s[…]`, get it, and names become what `resolve(name)` gives for
-- them (nil: no such name).
function M.expand(text, slug, resolve)
  local state, parts, position = {text = text}, {}, 1
  for _, token in ipairs(tokens_of(state, true)) do
    local piece = text:sub(token.from, token.after - 1)
    parts[#parts + 1] = text:sub(position, token.from - 1)
    position = token.after
    if token.kind == 'query' and not token.slug then
      piece = slug .. '/' .. piece
    elseif token.kind == 'word' and not M.functions[token.text] and
           not operators[token.text] then
      local full = resolve(token.text)
      if not full then
        throw(state, string.format("nothing above is called '%s'", token.text),
              'define it on a line of its own, above this one')
      end
      local query = query_at(full, 1)
      piece = query and query.text == full and full or '(' .. full .. ')'
    end
    parts[#parts + 1] = piece
  end
  return table.concat(parts) .. text:sub(position)
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

function M.parse(text)
  local state = {text = text:match('^%s*(.-)%s*$'), next = 1}
  state.tokens = tokens_of(state)
  local node = parse_level(state, 1)
  local rest = peek(state)
  if rest then
    throw(state, string.format("'%s' is out of place", rest.text))
  end
  return node
end

return M
