-- `{name}` in the text is a value and `[words]{holds=name}` a claim, both
-- defined in the code block of class `values` at the chapter's end (see
-- lib/definitions.lua). Here they become what the filters after this one know:
-- a code span of class `result`, a span or div of class `claim`.

local definitions = require 'definitions'
local diagnostics = require 'diagnostics'
local evaluate = require 'evaluate'
local expression = require 'expression'
local source = require 'source'

-- A value as a code span, within a claim if its definition has a bound. Its name
-- leads the filters after this one to its tree.
local function value(entry)
  local shown, otherwise = {class = 'result', name = entry.name}, nil
  for _, option in ipairs(entry.options) do
    if option[1] == 'otherwise' then
      otherwise = option[2]
    elseif option[1] ~= 'holds' then
      shown[option[1]] = option[2]
    end
  end
  local code = pandoc.Code(expression.text(entry.tree), shown)
  if not entry.holds and not otherwise then return code end
  return pandoc.Span(code, {class = 'claim', otherwise = otherwise,
                            name = entry.name})
end

local function replace(named, el)
  if not el.text:find('{', 1, true) then return nil end
  local list, from = {}, 1
  for first, name, after in el.text:gmatch('(){(%l[%l%d_]*)}()') do
    local entry = diagnostics.try({'{' .. name .. '}'}, definitions.use, named,
                                  name, 'value')
    if entry then
      if first > from then
        list[#list + 1] = pandoc.Str(el.text:sub(from, first - 1))
      end
      list[#list + 1] = value(entry)
      from = after
    end
  end
  if #list == 0 then return nil end
  if from <= #el.text then list[#list + 1] = pandoc.Str(el.text:sub(from)) end
  return list
end

-- A claim about numbers alone is arithmetic, and checked here.
local function check_arithmetic(entry)
  if evaluate.tree(entry.tree, false).value ~= true then
    diagnostics.throw('this arithmetic is wrong: ' ..
                      expression.text(entry.tree),
                      'correct the sentence or the definition')
  end
end

local function claim(named, el)
  if el.classes:includes('checked') then
    diagnostics.error({'.checked', source.words(el.content)},
                      "unknown class 'checked'",
                      'define a claim, and write [words]{holds=name}')
  end
  local name = el.attributes.holds
  if not name or el.classes:includes('claim') then return nil end
  local needles = {'holds=' .. name, source.words(el.content)}
  local entry = diagnostics.try(needles, definitions.use, named, name, 'claim')
  el.attributes.holds = nil
  if not entry then return el end
  if not entry.asks then
    diagnostics.try(needles, check_arithmetic, entry)
    el.classes:insert('checked')
    return el
  end
  el.classes:insert('claim')
  el.attributes.name = name
  for _, option in ipairs(entry.options) do
    el.attributes[option[1]] = option[2]
  end
  return el
end

return {{Pandoc = function(doc)
  local named = {}
  definitions.of_chapter = named
  doc = doc:walk {CodeBlock = function(el)
    if not el.classes:includes('values') then return nil end
    definitions.read(el.text, named)
    return {}
  end}
  local function claims(el) return claim(named, el) end
  doc = doc:walk {Str = function(el) return replace(named, el) end,
                  Span = claims, Div = claims}
  definitions.check_used(named)
  return doc
end}}
