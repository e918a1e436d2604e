-- `::: {.result-tables #tbl:name source="…" columns="…" by="slug"}`: a result
-- table for each value of that column, so that a table for what is measured
-- next week needs no words today.  `{}` in the caption becomes a reference to
-- the chapter that the value names, or the value.

local diagnostics = require 'diagnostics'
local results = require 'results'
local conditions = require 'conditions'
local source = require 'source'

local function reference(value)
  return pandoc.Cite({pandoc.Str('@chp:' .. value)},
                     {pandoc.Citation('chp:' .. value, 'AuthorInText')})
end

-- The caption with each {} as the value.
local function named(blocks, by, value)
  local filled = pandoc.walk_block(pandoc.Div(blocks), {Str = function(el)
    local before, after = el.text:match('^(.-){}(.*)$')
    if not before then return nil end
    local name = by == 'slug' and reference(value) or pandoc.Str(value)
    return {pandoc.Str(before), name, pandoc.Str(after)}
  end})
  return filled.content
end

local function values(file, column, where)
  local index = results.column(file, column)
  return results.different(results.rows(file, conditions.parse(where)), index)
end

local function tables(el)
  local attributes = el.attributes
  local slug, experiment =
    (attributes.source or ''):match('^([%w_%-]+)/([%w_%-]+)$')
  if not slug or not attributes.by then
    diagnostics.throw('result tables without source or by',
                      'write source="slug/experiment" by="column"')
  end
  local file = results.locate(slug, experiment, attributes.machine)
  local where, list = attributes.where or '', pandoc.List()
  for _, value in ipairs(values(file, attributes.by, where)) do
    local one = attributes.by .. '=' .. value
    list:insert(pandoc.Div(named(el.content, attributes.by, value),
      pandoc.Attr(el.identifier .. '-' .. value, {'result-table'}, {
        source = attributes.source, columns = attributes.columns or '',
        where = where == '' and one or where .. ', ' .. one,
      })))
  end
  return list
end

local function div(el)
  if not el.classes:includes('result-tables') then return nil end
  local needles = table.pack('#' .. el.identifier, '.result-tables')
  return diagnostics.try(needles, tables, el) or {}
end

return {{Div = div}}
