-- `[text]{.claim holds="…"}`: what the text says about numbers, checked.
-- False on the reference stops the build; false on the reader's machine puts
-- a note at that place.

local settings = require 'settings'
local definitions = require 'definitions'
local diagnostics = require 'diagnostics'
local evaluate = require 'evaluate'
local expression = require 'expression'
local provenance = require 'provenance'
local units = require 'units'
local pinned = require 'pinned'
local wording = require 'wording'
local escape = require 'escape'
local source = require 'source'

local need = diagnostics.need

local function value_text(value)
  return type(value) == 'number' and string.format('%.6g', value) or value
end

-- Every query, each once, as text(query) writes it.
local function each_query(outcome, separator, text)
  local parts, known = {}, {}
  for _, query in ipairs(outcome.queries) do
    if not known[query.text] then parts[#parts + 1] = text(query) end
    known[query.text] = true
  end
  return table.concat(parts, separator)
end

local function with_value(query)
  return query.text .. ' = ' .. value_text(query.value)
end

local function with_file(query)
  return with_value(query) ..
         (query.count and ' of ' .. query.count .. ' rows' or '') ..
         ' (' .. query.file.path .. ')'
end

-- For readers: "790.25 GB/s for version=padded".
local function measured(query)
  local node = query.node
  local conditions = (node.conditions or ''):match('^%s*(.-)%s*$')
  return (query.within and query.within .. ' ' or '') ..
         value_text(query.value) .. ' ' .. units.words(node.column) ..
         (conditions ~= '' and ' for ' .. conditions or '')
end

local function compute(mine, tree, holds)
  local outcome = evaluate.tree(tree, mine)
  need(type(outcome.value) == 'boolean',
       string.format("the claim '%s' is neither true nor false", holds),
       'compare it with something: ==, ~=, <, <=, >, >=, about')
  need(#outcome.queries > 0,
       string.format("the claim '%s' asks for no result", holds),
       'name a result: slug/experiment.column[key=value]')
  return outcome
end

local function require_true(tree, holds)
  local outcome = compute(false, tree, holds)
  if not outcome.value then
    diagnostics.throw('this claim is false: ' .. holds,
                      each_query(outcome, '\n', with_file) ..
                      '\ncorrect the text, or find out why it was measured so')
  end
  return outcome
end

local function note(outcome)
  local doubt
  for _, query in ipairs(outcome.queries) do
    provenance.cite(query.file)
    doubt = doubt or provenance.doubt(query.file)
  end
  local gpu = provenance.gpu(evaluate.is_readers(outcome).file)
  return string.format('Not so on %s: %s.', gpu,
                       each_query(outcome, '; ', measured)) ..
         (doubt and ' ' .. doubt or '')
end

-- A note for each machine that contradicts, then what to think of it.
local function notes(outcomes, otherwise)
  local parts = {}
  for _, outcome in ipairs(outcomes) do
    if not outcome.value then
      parts[#parts + 1] = escape.for_print(note(outcome))
    end
  end
  if #parts > 0 then parts[#parts + 1] = otherwise end
  return table.concat(parts, ' ')
end

-- The outcome whose values the page's source shows: one that contradicts, or
-- the first reader's.
local function shown(outcomes)
  for _, outcome in ipairs(outcomes) do
    if not outcome.value then return outcome end
  end
  return outcomes[1]
end

-- The claim's words without the results in it, which are right by themselves,
-- and another machine's where there are readers' numbers.
local function own_words(el)
  local blocks = el.t == 'Div' and el.content or {pandoc.Plain(el.content)}
  local words = pandoc.Div(blocks):walk {
    Link = function(link)
      if link.classes:includes('result') then return pandoc.Str('…') end
    end,
  }
  return pandoc.utils.stringify(words)
end

local function mark(el, outcome, holds)
  el.attributes['data-holds'] = holds
  el.attributes['data-values'] = each_query(outcome, '; ', with_value)
  el.attributes.holds = nil
  el.attributes.otherwise = nil
  el.attributes.name = nil
end

-- The tree of what must hold, and its text: of the definition that values.lua
-- named, or of the attribute.
local function condition(el)
  local entry = definitions.of_chapter[el.attributes.name]
  if entry and entry.holds then
    return entry.holds, expression.text(entry.holds)
  end
  local holds = el.attributes.holds
  need(holds and holds ~= '', 'a claim without holds="…"',
       'write what must be true of the results')
  return expression.parse(holds), holds
end

local function check(el)
  local tree, holds = condition(el)
  need(#el.content > 0, 'a claim without a text', 'write [text]{.claim …}')
  local outcome = require_true(tree, holds)
  local outcomes = evaluate.of_readers(compute, tree, holds)
  pinned.check(outcome.tree)
  outcome.text = holds
  wording.check(own_words(el), outcome)
  local text = notes(outcomes, el.attributes.otherwise)
  mark(el, shown(outcomes) or outcome, holds)
  if text ~= '' then el.classes:insert('claim-differs') end
  return text
end

local function needles(el)
  local name = el.attributes.name
  return table.pack(name and 'holds=' .. name, name and '{' .. name .. '}',
                    el.attributes.holds, source.words(el.content), '.claim')
end

-- What values.lua has checked already: its mark has served its purpose.
local function without_check(el)
  for i, class in ipairs(el.classes) do
    if class == 'checked' then
      el.classes:remove(i)
      return #el.classes == 0 and el.identifier == '' and el.content or el
    end
  end
end

local function claim(el)
  if not el.classes:includes('claim') then return without_check(el) end
  local text = diagnostics.try(needles(el), check, el)
  if not text or text == '' then return el end
  local said = settings.latex and
    pandoc.RawInline('latex', '\\claimnote{' .. escape.latex(text) .. '}') or
    pandoc.Str(text)
  local note = {class = 'claim-note', role = 'note'}
  if el.t == 'Div' then return {el, pandoc.Div(pandoc.Para(said), note)} end
  if settings.latex then return {el, said} end
  return {el, pandoc.Space(), pandoc.Span(said, note)}
end

return {{Span = claim, Div = claim}}
