-- One number in the text, with where it comes from: a link in HTML, a
-- footnote or its mark in print.

local settings = require 'settings'
local diagnostics = require 'diagnostics'
local evaluate = require 'evaluate'
local format = require 'format'
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
    if not message then return end
  end
  if message then diagnostics.throw(message, remedy) end
end

local function compute(text, options, mine)
  local outcome = evaluate.expression(text, mine)
  if type(outcome.value) == 'boolean' then
    diagnostics.throw('a result that is true or false',
                      'write it as a claim: [text]{.claim holds="…"}')
  end
  check_unit(outcome.tree, options)
  outcome.text = format.value(outcome.value, options)
  return outcome
end

-- One entry per file, in the order of use.
local function sources(outcome)
  local list, known = {}, {}
  for _, query in ipairs(outcome.queries) do
    if not known[query.file.full] then
      known[query.file.full] = true
      list[#list + 1] = provenance.cite(query.file)
    end
  end
  return list
end

local function note(list)
  local parts = {}
  for i, entry in ipairs(list) do parts[i] = provenance.short(entry) end
  return table.concat(parts, '; ')
end

local function html(outcome, reference)
  local list = sources(outcome)
  if #list == 0 then return pandoc.Str(outcome.text) end
  local text = note(list)
  local attributes = {}
  if reference then
    local beside = reference.text .. ' on ' ..
                   reference.queries[1].file.head.gpu
    text = text .. '; reference: ' .. beside
    attributes[1] = {'data-reference', reference.text}
    sources(reference)
  end
  table.insert(attributes, {'data-note', text})
  table.insert(attributes, {'data-number', tostring(list[1].number)})
  return pandoc.Link({pandoc.Str(outcome.text)}, '#' .. list[1].id, '',
                     pandoc.Attr('', {'result'}, attributes))
end

local function latex(outcome, reference, in_box)
  local parts = {'\\result{' .. escape.latex(outcome.text) .. '}'}
  if reference then
    parts[2] = string.format('\\resultreference{%s}{%s}',
      escape.latex(reference.queries[1].file.head.gpu),
      escape.latex(reference.text))
  end
  for i, entry in ipairs(sources(outcome)) do
    if i > 1 then parts[#parts + 1] = '\\resultcomma{}' end
    parts[#parts + 1] = provenance.mark(entry, in_box)
  end
  return pandoc.RawInline('latex', table.concat(parts))
end

-- The reader's outcome if that machine has measured what is asked for.
local function readers(text, options)
  if not settings.machine then return nil end
  local ok, outcome = pcall(compute, text, options, true)
  return ok and evaluate.is_readers(outcome) and outcome or nil
end

local function make(code, in_box)
  local options = format.options(code.attributes)
  local reference = compute(code.text, options, false)
  local mine = readers(code.text, options)
  local outcome = mine or reference
  if settings.latex then
    return latex(outcome, mine and reference, in_box)
  end
  return html(outcome, mine and reference)
end

-- A Code of class `result` → what stands in its place.  `in_box`: inside a
-- caption, a cell or a heading, where no footnote may stand.
function M.convert(code, in_box)
  if not code.classes:includes('result') then return nil end
  return diagnostics.try({'`' .. code.text .. '`', code.text}, make, code,
                         in_box)
end

return M
