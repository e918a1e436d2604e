-- The tables of results of a chapter, and those that quote results in their
-- cells, as Markdown without names: values.lua puts what they stand for in their
-- place. What the tables refer to is elsewhere, so references become words, and
-- so do claims.

local filters = os.getenv('FILTERS')
package.path = filters .. '/?.lua;' .. filters .. '/lib/?.lua;' .. package.path

local definitions = require 'definitions'
local expression = require 'expression'
local settings = require 'settings'
local values = require 'values'

local function quotes(div)
  local found = false
  div:walk {Code = function(code)
    if code.classes:includes('result') then found = true end
  end}
  return found
end

return {{Pandoc = function(doc)
  settings.load(doc.meta)
  doc = values[1].Pandoc(doc)
  local tables = pandoc.List()
  for _, block in ipairs(doc.blocks) do
    if block.t == 'Div' and
       (block.classes:includes('result-table') or
        block.identifier:match('^tbl:') and quotes(block)) then
      tables:insert(block:walk {
        Cite = function() return pandoc.Str('there') end,
        Code = function(code)
          code.attributes.name = nil
          return code
        end,
        Span = function(span)
          if span.classes:includes('checked') then return span.content end
          local entry = definitions.of_chapter[span.attributes.name]
          if not entry then return nil end
          span.attributes.holds = expression.text(entry.holds)
          span.attributes.name = nil
          return span
        end})
    end
  end
  return pandoc.Pandoc(tables)
end}}
