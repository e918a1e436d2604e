-- What a claim's words say against what its expression checks: "more than three
-- times" around `> 1.5 *` promises what nothing holds, and "slower" around a
-- smaller time says the opposite.
--
-- A factor in the words ("twice", "a tenth", "40 %") agrees with the expression
-- if one of its numbers states it (as itself, its inverse, or as what is more
-- or less than the whole: "a fifth more" and 1.2), if two values that it
-- compares stand in that proportion, or two conditions ("twice the block").
--
-- A direction is checked where there is one word of direction and one
-- comparison of two columns of a known kind; the claim's subject stands on the
-- left.
--
-- Words for all ("the fastest", "none of them", "all three") want an aggregate
-- over rows, or a comparison of each. Words of time may not rest on the software
-- device's counts where the GPU's are there.

local diagnostics = require 'diagnostics'
local expression = require 'expression'
local results = require 'results'
local settings = require 'settings'
local units = require 'units'
local words = require 'words'

local set = words.set

local M = {}

local value_tolerance = 0.12     -- of a value against the word for it
local number_tolerance = 0.06    -- of a number in the expression

-- ---- Factors in words -----------------------------------------------------

local numbers, parts = {}, {}
for i, word in ipairs(words.list [[one two three four five six seven eight nine
    ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen]]) do
  numbers[word] = i
end
for i, word in ipairs(words.list [[twenty thirty forty fifty sixty seventy
    eighty ninety]]) do
  numbers[word] = 10 * i + 10
end
for i, word in ipairs(words.list [[third quarter fifth sixth seventh eighth
    ninth tenth]]) do
  parts[word], parts[word .. 's'] = 1 / (i + 2), 1 / (i + 2)
end
parts.sixteenth, parts.twentieth, parts.fiftieth = 1 / 16, 1 / 20, 1 / 50
parts.hundredth, parts.thousandth = 1 / 100, 1 / 1000
local magnitudes = {hundred = 100, thousand = 1000, million = 1e6}
local alone = {doubled = 2, tripled = 3, halved = 1 / 2, quadrupled = 4}
local often = {twice = 2, thrice = 3}

-- The first of the sentence's words is a part of something only where it does
-- not number things: "the first third", "the second half".
local ordinal = set [[the first second last other each upper lower its this]]
local follows_part = set [[of more less fewer faster slower longer shorter as
  again the than against where at in behind above below cheaper larger smaller
  over its their]]
follows_part[''] = true

local follows_twice = set [[as the that what its their of]]

local function words_of(text)
  local list = {}
  text = text:gsub('\u{A0}', ' '):gsub('\u{202F}', ' '):gsub('×', ' x ')
  text = text:gsub('(%d)%s*%%', '%1 percent ')
  for word in text:lower():gmatch('[%w%.][%w%.]*') do
    word = word:gsub('%.+$', '')
    if word ~= '' then list[#list + 1] = word end
  end
  return list
end

-- The number that the words from i on spell, and how many words it takes:
-- "sixty four", "one and a half", "a hundred", "1.3".
local function number_at(list, i)
  local word = list[i]
  if word == nil then return nil end
  if word:match('^%d') then return tonumber(word), 1 end
  local value, n = numbers[word], 1
  if word == 'a' and magnitudes[list[i + 1] or ''] then value = 1 end
  if magnitudes[word] then return magnitudes[word], 1 end
  if not value then return nil end
  local unit = numbers[list[i + n] or '']
  if value >= 20 and unit and unit < 10 then value, n = value + unit, n + 1 end
  while magnitudes[list[i + n] or ''] do
    value, n = value * magnitudes[list[i + n]], n + 1
  end
  if list[i + n] == 'and' and list[i + n + 1] == 'a' and
     list[i + n + 2] == 'half' then
    value, n = value + 0.5, n + 3
  end
  return value, n
end

-- The factor that the words from i on state, how it is written, and how many
-- words it takes.
local function factor_at(list, i)
  local word, after = list[i], list[i + 1] or ''
  if alone[word] then return alone[word], word, 1 end
  -- "reads everything twice" is no factor of two.
  if often[word] and follows_twice[after] then return often[word], word, 1 end
  if word == 'half' and not ordinal[list[i - 1] or ''] then
    if after == 'a' or after == 'an' or after == 'warp' or after == 'warps' or
       after == 'precision' then
      return nil
    end
    if after == 'as' and list[i + 3] == 'again' then return 1.5, 'half again', 4 end
    return 1 / 2, word, 1
  end
  local value, n = number_at(list, i)
  if value then
    local unit = list[i + n] or ''
    local said = table.concat(list, ' ', i, math.min(i + n, #list))
    -- "64 times 5" is a product.
    if unit == 'times' and not (list[i + n + 1] or ''):match('^%d') then
      return value, said, n + 1
    end
    if unit == 'percent' then return value / 100, said, n + 1 end
    if parts[unit] and (follows_part[list[i + n + 1] or ''] or
                        unit:match('s$')) and value < 20 then
      return value * parts[unit], said, n + 1
    end
    return nil, nil, n
  end
  if word == 'a' and parts[after] and follows_part[list[i + 2] or ''] then
    return parts[after], 'a ' .. after, 2
  end
  local fold = word:match('^(%a+)fold$')
  if fold and (numbers[fold] or magnitudes[fold]) then
    return numbers[fold] or magnitudes[fold], word, 1
  end
end

-- All factors: {value, said}.
function M.factors(text)
  local list, found, i = words_of(text), {}, 1
  while i <= #list do
    local value, said, n = factor_at(list, i)
    if value then found[#found + 1] = {value = value, said = said} end
    i = i + (n or 1)
  end
  return found
end

-- ---- Factors in the expression ----------------------------------------------

local function each_node(node, visit)
  visit(node)
  for _, part in ipairs(expression.parts(node)) do each_node(part, visit) end
end

-- What numbers the expression states; `4 / 3` is one as well.
local function stated(tree)
  local list = {}
  each_node(tree, function(node)
    if node.kind == 'number' then list[#list + 1] = node.value end
    if node.kind == 'binary' and node.operator == '/' and
       node[1].kind == 'number' and node[2].kind == 'number' then
      list[#list + 1] = node[1].value / node[2].value
    end
  end)
  return list
end

-- Numbers in conditions, by key: [n_elems=1024] against [n_elems=65536], and
-- what versions' names end in: [version=percent_50].
local function conditions(tree)
  local by_key = {}
  each_node(tree, function(node)
    if node.kind ~= 'query' then return end
    for key, text in (node.conditions or ''):gmatch('([%w_]+)%s*[=<>!]+%s*([^,%]]+)') do
      for value in text:gmatch('[^|]+') do
        key = value:match('percent') and 'percent' or key
        by_key[key] = by_key[key] or {}
        table.insert(by_key[key], tonumber(value:match('[%d%.eE+]+%s*$')))
      end
    end
  end)
  return by_key
end

local function near(a, b, tolerance)
  return math.abs(a - b) <= tolerance * math.abs(b)
end

-- "a fifth more" is 1.2 or, the other way round, 0.8; "three times faster" is
-- 3 or a third.
local function forms(factor)
  local list = {factor, 1 / factor}
  if factor < 1 then
    for _, form in ipairs {1 + factor, 1 - factor, 1 / (1 + factor),
                           1 / (1 - factor)} do
      list[#list + 1] = form
    end
  end
  return list
end

local function states(list, factor)
  for _, value in ipairs(list) do
    for _, form in ipairs(forms(factor)) do
      if value ~= 0 and near(value, form, number_tolerance) then return true end
    end
  end
  return false
end

-- `alone`: one of the numbers may be the proportion itself, as in a column of
-- shares or speed-ups; a condition such as [stride=2] is no "twice".
local function in_proportion(list, factor, alone)
  for i, a in ipairs(list) do
    for k, b in ipairs(list) do
      if i ~= k and type(a) == 'number' and type(b) == 'number' and b ~= 0 then
        for _, form in ipairs(forms(factor)) do
          if near(a / b, form, value_tolerance) then return true end
        end
      end
    end
    if alone and type(a) == 'number' and
       (near(a, factor, value_tolerance) or
        near(a, factor * 100, value_tolerance)) then
      return true
    end
  end
  return false
end

local function values(outcome)
  local list = {}
  for _, query in ipairs(outcome.queries) do list[#list + 1] = query.value end
  return list
end

local function agrees(factor, outcome)
  if states(stated(outcome.tree), factor) then return true end
  if in_proportion(values(outcome), factor, true) then return true end
  for key, list in pairs(conditions(outcome.tree)) do
    if in_proportion(list, factor, key == 'percent') then return true end
  end
  return false
end

local function check_factors(text, outcome)
  for _, factor in ipairs(M.factors(text)) do
    if not agrees(factor.value, outcome) then
      diagnostics.throw(
        string.format("the claim's words say '%s', its expression does not: %s",
                      factor.said, outcome.text),
        'let the expression hold what the words promise, or put the value ' ..
        'into the words\nas a result and leave the bound to the expression')
    end
  end
end

-- ---- Directions ----------------------------------------------------------------

-- +1: a larger rate, -1: a smaller one.
local directions = {faster = 1, quicker = 1, slower = -1}

-- "is no slower than", "if it were faster": nothing to compare with.
local denies = set [[no not never hardly neither nor nothing none without if]]

-- The one word of direction, or nil.
local function direction(text)
  local found
  for word in text:lower():gmatch('%a+') do
    if directions[word] then
      if found then return nil end
      found = {word = word, sign = directions[word]}
    end
    -- "is no slower than", "if it were faster", "the faster it is"
    if denies[word] then return nil end
  end
  return found
end

local signs = {time = -1, ['time for each'] = -1, bandwidth = 1,
               ['compute speed'] = 1, rate = 1}
local orders = {['<'] = -1, ['<='] = -1, ['>'] = 1, ['>='] = 1}

-- The kind of quantity on one side, if that side is one query, perhaps times or
-- over a number.
local function quantity(node)
  local kind
  each_node(node, function(part)
    if part.kind == 'query' then
      local own = units.quantity(part.column)
      kind = kind == nil and (own or false) or false
    elseif part.kind == 'call' and part.name ~= 'min' and part.name ~= 'max' and
           part.name ~= 'median' then
      kind = false
    end
  end)
  return kind
end

local function check_direction(text, outcome)
  local tree, said = outcome.tree, direction(text)
  if not said or tree.kind ~= 'binary' or not orders[tree.operator] then
    return
  end
  local left, right = quantity(tree[1]), quantity(tree[2])
  if not left or left ~= right or not signs[left] then return end
  if orders[tree.operator] * signs[left] ~= said.sign then
    diagnostics.throw(
      string.format("the claim's words say '%s', its expression the " ..
                    'opposite: %s', said.word, outcome.text),
      "the left side is the claim's subject: turn the comparison around, or " ..
      'correct the words')
  end
end

-- ---- Words for all ---------------------------------------------------------------

-- "the fastest", "never", "all three", "every version", "none of them" speak of
-- all rows. "All 32 lanes", "each thread", "at all" speak of one row's program.
local always = set [[fastest slowest never always]]
local of_all = set [[all every each none no]]
local rows = set [[version versions kernel kernels size sizes way ways method
  methods machine machines of]]

local function universal_word(text)
  local list = words_of(text)
  for i, word in ipairs(list) do
    local after, next_after = list[i + 1] or '', list[i + 2] or ''
    if always[word] then return word end
    if of_all[word] and rows[after] and
       (after ~= 'of' or word ~= 'each' and next_after == 'them') then
      return word .. ' ' .. after
    end
    -- "all three are", not "all three additions"
    if word == 'all' and numbers[after] and
       (next_after == '' or next_after == 'are' or next_after == 'take' or
        next_after == 'of') then
      return word .. ' ' .. after
    end
  end
end

-- An aggregate over rows, or one comparison after the other, each of which
-- names its row: a chain of `and`, or the several values of a condition.
local function speaks_of_rows(tree)
  local found = false
  each_node(tree, function(node)
    if node.kind == 'call' and expression.functions[node.name] == true then
      found = true
    end
    if node.kind == 'binary' and node.operator == 'and' then found = true end
  end)
  return found
end

local function check_universal(text, outcome)
  local word = universal_word(text)
  if word and not speaks_of_rows(outcome.tree) then
    diagnostics.throw(
      string.format("the claim's words say '%s', its expression looks at " ..
                    'single rows: %s', word, outcome.text),
      'use min, max, sum or count over the rows that the sentence speaks of, ' ..
      'compare\nthem one by one with `and`, or name the exception')
  end
end

-- ---- Whose counts ---------------------------------------------------------------

-- A time on a GPU is explained by the GPU's counts, not by what the software
-- device counted for the same program, where both are there.
local of_time = set [[faster slower quicker time longer cheaper slow fast]]
local counters = {'requests', 'sectors', 'wavefronts', 'conflicts',
                  'instructions', 'branches', 'transactions'}

local function is_counter(column)
  for _, counter in ipairs(counters) do
    if column:find(counter, 1, true) then return true end
  end
  return false
end

local function check_machine(text, outcome)
  local said
  for word in text:lower():gmatch('%a+') do
    if of_time[word] then said = said or word end
  end
  if not said then return end
  for _, query in ipairs(outcome.queries) do
    local node = query.node
    if node.machine == 'software' and is_counter(node.column) and
       results.has(node.slug, node.experiment, settings.reference) then
      diagnostics.throw(
        string.format("the claim says '%s', but rests on what the software " ..
                      'device counted: %s', said, query.text),
        'leave @software out: a time on a GPU is explained by what that GPU ' ..
        'counted')
    end
  end
end

-- Throws if the words of a claim contradict its expression. `outcome` is what
-- evaluate.expression gives; `outcome.text` the expression.
function M.check(text, outcome)
  check_factors(text, outcome)
  check_direction(text, outcome)
  check_universal(text, outcome)
  check_machine(text, outcome)
end

return M
