-- `[text]{.claim holds="…"}`: what the text says about numbers, checked.
-- False on the reference stops the build; false on the reader's machine puts
-- a note at that place.

local settings = require 'settings'
local diagnostics = require 'diagnostics'
local evaluate = require 'evaluate'
local provenance = require 'provenance'

local function value_text(value)
  if type(value) ~= 'table' then
    return type(value) == 'number' and string.format('%.6g', value) or value
  end
  local parts = {}
  for i, one in ipairs(value) do
    if i > 8 then
      parts[i] = string.format('… (%d)', #value)
      break
    end
    parts[i] = value_text(one)
  end
  return '{' .. table.concat(parts, ', ') .. '}'
end

local function values(outcome, separator, with_file)
  local parts, known = {}, {}
  for _, query in ipairs(outcome.queries) do
    if not known[query.text] then
      known[query.text] = true
      parts[#parts + 1] = string.format('%s = %s%s', query.text,
        value_text(query.value),
        with_file and ' (' .. query.file.path .. ')' or '')
    end
  end
  return table.concat(parts, separator)
end

local function compute(holds, mine)
  local outcome = evaluate.expression(holds, mine)
  if type(outcome.value) ~= 'boolean' then
    diagnostics.throw(string.format("the claim '%s' is neither true nor false",
                                    holds),
                      'compare it with something: ==, ~=, <, <=, >, >=, about')
  end
  if #outcome.queries == 0 then
    diagnostics.throw(string.format("the claim '%s' asks for no result", holds),
                      'name a result: slug/experiment.column[key=value]')
  end
  return outcome
end

local function require_true(holds)
  local outcome = compute(holds, false)
  if not outcome.value then
    diagnostics.throw('this claim is false: ' .. holds,
                      values(outcome, '\n', true) ..
                      '\ncorrect the text, or find out why it was measured so')
  end
  return outcome
end

-- What the reader's machine measured, if it measured all of it.
local function readers(holds)
  if not settings.machine then return nil end
  local ok, outcome = pcall(compute, holds, true)
  return ok and evaluate.is_readers(outcome) and outcome or nil
end

local function note(outcome, otherwise)
  local gpu
  for _, query in ipairs(outcome.queries) do
    gpu = gpu or query.file.full:sub(1, #settings.results) ==
                 settings.results and query.file.head.gpu
    provenance.cite(query.file)
  end
  local text = string.format('Not so on %s: there, %s.', gpu,
                             values(outcome, ' and '))
  if otherwise then text = text .. ' ' .. otherwise end
  return text
end

local function mark(el, outcome)
  el.attributes['data-holds'] = el.attributes.holds
  el.attributes['data-values'] = values(outcome, '; ')
  el.attributes.holds = nil
  el.attributes.otherwise = nil
end

local function check(el)
  local holds = el.attributes.holds
  if not holds or holds == '' then
    diagnostics.throw('a claim without holds="…"',
                      'write what must be true of the results')
  end
  if pandoc.utils.stringify(el.content) == '' then
    diagnostics.throw('a claim without a text', 'write [text]{.claim …}')
  end
  local outcome, mine = require_true(holds), readers(holds)
  local text = mine and not mine.value and
               note(mine, el.attributes.otherwise) or nil
  mark(el, mine or outcome)
  if text then el.classes:insert('claim-differs') end
  return text or ''
end

local function needles(el)
  local holds = el.attributes.holds
  return {holds, pandoc.utils.stringify(el.content), '.claim'}
end

local function span(el)
  if not el.classes:includes('claim') then return nil end
  local text = diagnostics.try(needles(el), check, el)
  if not text or text == '' then return el end
  if settings.latex then
    return {el, pandoc.RawInline('latex', '\\claimnote{' ..
                                 require('escape').latex(text) .. '}')}
  end
  return {el, pandoc.Space(),
          pandoc.Span({pandoc.Str(text)},
                      pandoc.Attr('', {'claim-note'}, {{'role', 'note'}}))}
end

local function div(el)
  if not el.classes:includes('claim') then return nil end
  local text = diagnostics.try(needles(el), check, el)
  if not text or text == '' then return el end
  local inline = pandoc.Str(text)
  if settings.latex then
    inline = pandoc.RawInline('latex', '\\claimnote{' ..
                              require('escape').latex(text) .. '}')
  end
  return {el, pandoc.Div({pandoc.Para {inline}},
                         pandoc.Attr('', {'claim-note'}, {{'role', 'note'}}))}
end

return {{Span = span, Div = div}}
