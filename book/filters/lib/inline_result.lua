-- One number in the text, with where it comes from: a link in HTML, a
-- footnote or its mark in print.

local settings = require 'settings'
local definitions = require 'definitions'
local diagnostics = require 'diagnostics'
local evaluate = require 'evaluate'
local expression = require 'expression'
local format = require 'format'
local pinned = require 'pinned'
local provenance = require 'provenance'
local units = require 'units'
local escape = require 'escape'

local M = {}

-- The column whose unit the value has: of a query or of min( ), max( ), …
local function unit_column(tree)
  if tree.kind == 'query' then return tree.column end
  if tree.kind == 'call' and tree.name ~= 'count' and tree.name ~= 'about' then
    local first = tree.arguments[1]
    return first.kind == 'query' and first.column or nil
  end
end

local function check_unit(tree, options)
  local column = unit_column(tree)
  if not column or not options.unit then return end
  local message, remedy = units.mismatch(column, options.unit, options.scale)
  if options.unit == '%' and message then
    message, remedy = units.mismatch(column, '%', options.factor)
  end
  if message then diagnostics.throw(message, remedy) end
end

local function compute(mine, tree, options)
  local outcome = evaluate.tree(tree, mine)
  if type(outcome.value) == 'boolean' then
    diagnostics.throw('a result that is true or false',
                      'write it as a claim: [text]{.claim holds="…"}')
  end
  check_unit(outcome.tree, options)
  outcome.text = format.value(outcome.value, options,
                              evaluate.is_readers(outcome) ~= nil)
  return outcome
end

-- One entry per file, in the order of use.
local function sources(outcome)
  local list = pandoc.List()
  for _, query in ipairs(outcome.queries) do
    local entry = provenance.cite(query.file)
    if not list:includes(entry) then list:insert(entry) end
  end
  return list
end

-- The GPU that an outcome is of: where readers' and reference's results meet
-- in one, the reader's.
local function gpu_of(outcome)
  local query = evaluate.is_readers(outcome) or outcome.queries[1]
  return provenance.gpu(query.file)
end

-- Why the outcome is doubtful, or nil.  A doubtful run casts doubt on what it
-- measured, not on the size of the problem that it was given.
local function doubt(outcome)
  for _, query in ipairs(outcome.queries) do
    local text = provenance.doubt(query.file)
    local column = query.node.column
    if text and (not column or pinned.is_measured(column)) then return text end
  end
end

-- `outcomes`: the one that is shown, further readers' ones, and last the
-- reference's, if it is not the only one.
local function html(outcomes)
  local outcome, last = outcomes[1], outcomes[#outcomes]
  local list = sources(outcome)
  if #list == 0 then return pandoc.Str(outcome.text) end
  local text = table.concat(list:map(provenance.short), '; ')
  local attributes, classes = {}, {'result'}
  for i = 2, #outcomes do
    text = text .. '; ' .. (i == #outcomes and 'reference: ' or '') ..
           outcomes[i].text .. ' on ' .. gpu_of(outcomes[i])
    sources(outcomes[i])
  end
  if last ~= outcome then
    attributes[1] = {'data-reference', last.text}
  end
  local content = pandoc.List {pandoc.Str(outcome.text)}
  local doubtful = doubt(outcome)
  if doubtful then
    text = text .. '. ' .. doubtful
    classes[2] = 'doubtful'
    content:insert(pandoc.Superscript {pandoc.Str('?')})
  end
  table.insert(attributes, {'data-note', text})
  table.insert(attributes, {'data-number', tostring(list[1].number)})
  return pandoc.Link(content, '#' .. list[1].id, '',
                     pandoc.Attr('', classes, attributes))
end

local function latex(outcomes, in_box)
  local outcome = outcomes[1]
  local parts = {'\\result{' .. escape.latex(outcome.text) .. '}'}
  if doubt(outcome) then parts[2] = '\\resultdoubt{}' end
  for i = 2, #outcomes do
    parts[#parts + 1] = string.format('\\resultreference{%s}{%s}',
      escape.latex(gpu_of(outcomes[i])), escape.latex(outcomes[i].text))
  end
  for i, entry in ipairs(sources(outcome)) do
    if i > 1 then parts[#parts + 1] = '\\resultcomma{}' end
    parts[#parts + 1] = provenance.mark(entry, in_box)
  end
  return pandoc.RawInline('latex', table.concat(parts))
end

-- `name`: of the definition that values.lua put here, or nil.
local function make(code, name, in_box)
  local options = format.options(code.attributes)
  local tree = name and definitions.of_chapter[name].tree or
               expression.parse(code.text)
  local reference = compute(false, tree, options)
  local outcomes = {}
  for _, outcome in ipairs(evaluate.of_readers(compute, tree, options)) do
    -- A text where the reference has a number is no result.
    if type(outcome.value) == type(reference.value) then
      outcomes[#outcomes + 1] = outcome
    end
  end
  outcomes[#outcomes + 1] = reference
  if settings.latex then return latex(outcomes, in_box) end
  return html(outcomes)
end

-- A Code of class `result` → what stands in its place.  `in_box`: inside a
-- caption, a cell or a heading, where no footnote may stand.
function M.convert(code, in_box)
  if not code.classes:includes('result') then return nil end
  local name = code.attributes.name
  code.attributes.name = nil
  local needles = name and {'{' .. name .. '}'} or
                  {'`' .. code.text .. '`', code.text}
  return diagnostics.try(needles, make, code, name, in_box)
end

return M
