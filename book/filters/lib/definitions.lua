-- A chapter's values and claims, each under a short name, as the code block of
-- class `values` at its end has them:
--
--   strided  = stride.gb_per_s[stride_elems=32]; digits=0 unit="GB/s"
--   slowdown = copied / strided; digits=1 holds="> 5"
--   one_more_sector: counts.ld_sectors[version=misaligned] ==
--     counts.ld_sectors[version=aligned] + 1
--
-- `=` defines a value and, after `;`, how it is shown and the bound it must
-- keep on every machine. `:` defines a claim. A definition may use the names
-- above it. It ends with its line, unless the next one is indented. A result of
-- the chapter's own slug needs no slug in front. `#` begins a comment.

local expression = require 'expression'
local settings = require 'settings'
local diagnostics = require 'diagnostics'
local suggest = require 'suggest'

local need = diagnostics.need

local M = {}

local syntax = 'write `name = expression; digits=1` or `name: condition`'

-- Which options a definition may have after its `;`.
local options = {
  value = {'digits', 'significant', 'scale', 'unit', 'percent', 'holds',
           'otherwise'},
  claim = {'otherwise'},
}

-- The block's lines with continuations joined: {text, first}, `first` being
-- what a message finds the line by.
local function logical_lines(text)
  local list = {}
  for line in (text .. '\n'):gmatch('([^\n]*)\n') do
    if line:match('^%s*#') or line:match('^%s*$') then
      -- nothing
    elseif line:match('^%s') and #list > 0 then
      list[#list].text = list[#list].text .. ' ' .. line:match('^%s*(.*)$')
    else
      list[#list + 1] = {text = line, first = line}
    end
  end
  return list
end

-- `digits=0 unit="GB/s"` as a list of {key, value}.
local function read_options(text, kind, name)
  local list, position = {}, 1
  while true do
    position = text:match('^%s*()', position)
    if position > #text then return list end
    local key, value, after = text:match('^([%a]+)="([^"]*)"()', position)
    if not key then
      key, value, after = text:match('^([%a]+)=([^%s"]+)()', position)
    end
    need(key,
         string.format("cannot read '%s' of '%s'", text:sub(position), name),
         'write key=value or key="value", separated by spaces')
    if not pandoc.List(options[kind]):includes(key) then
      diagnostics.throw(string.format("unknown option '%s' of '%s'", key, name),
                        suggest.among(key, options[kind], 'there are:'))
    end
    list[#list + 1] = {key, value}
    position = after
  end
end

-- What is before and after the first `;` outside of quotes.
local split = re.compile [[
  {[^;"]* ('"' [^"]* '"'? [^;"]*)*} (';' {.*} / {''})
]]

-- Does an expression's tree ask for any result?
local function asks(node)
  if node.kind == 'query' then return true end
  for _, part in ipairs(expression.parts(node)) do
    if asks(part) then return true end
  end
  return false
end

-- The tree of a value that is named in a later definition.
local function resolve(named, name)
  local known = named[name]
  if not known then return nil end
  need(known.kind ~= 'claim',
       string.format("'%s' is a claim, not a value", name),
       'only values can be part of an expression')
  known.used = true
  return known.tree
end

-- What a value must keep: its option `holds="> 5"`, with the value in front.
local function bound(made, scope)
  for _, option in ipairs(made.options) do
    if option[1] == 'holds' then
      return expression.parse('_ ' .. option[2], {slug = scope.slug,
        resolve = function(name)
          return name == '_' and made.tree or scope.resolve(name)
        end})
    end
  end
end

local function define(named, line)
  local name, sign, rest = line.text:match('^([%l][%l%d_]*)%s*([=:])%s*(.-)%s*$')
  need(name, "cannot read the definition '" .. line.first .. "'", syntax)
  need(not expression.functions[name],
       string.format("'%s' is a function's name", name), 'choose another')
  need(not named[name], string.format("'%s' is defined twice", name),
       'choose another name for one of them')
  local kind = sign == '=' and 'value' or 'claim'
  local text, after = split:match(rest)
  local made = {name = name, kind = kind, line = line.first, used = false,
                options = read_options(after, kind, name)}
  local scope = {slug = settings.slug, resolve = function(other)
    return resolve(named, other)
  end}
  made.tree = expression.parse(text, scope)
  made.asks = asks(made.tree)
  made.holds = kind == 'claim' and made.tree or bound(made, scope)
  return made
end

-- Reads the text of a block into `named`, a table by name: {name, kind, tree,
-- options, asks, holds}. `asks`: it asks for a result; `holds`: the tree of what
-- must be true, or nil.
function M.read(text, named)
  for _, line in ipairs(logical_lines(text)) do
    local made = diagnostics.try({line.first}, define, named, line)
    if made then named[made.name] = made end
  end
end

-- Those of the chapter whose pages are made.
M.of_chapter = {}

-- The definition that the text names. Throws where there is none.
function M.use(named, name, kind)
  local entry = named[name]
  if entry and entry.kind == kind then
    entry.used = true
    return entry
  end
  if entry then
    diagnostics.throw(string.format("'%s' is a %s, not a %s", name, entry.kind,
                                    kind),
                      kind == 'value' and
                      'write a claim around its words: [words]{holds=name}' or
                      'write a value as {name}; a bound goes to its definition')
  end
  local names = suggest.keys(named, function(other)
    return other.kind == kind
  end)
  diagnostics.throw(string.format("no %s is called '%s'", kind, name),
                    #names == 0 and
                    'define it in the code block {.values} at the chapter\'s end'
                    or suggest.among(name, names, 'the block {.values} has:'))
end

-- What nothing uses was forgotten in the text, or in the block.
function M.check_used(named)
  for _, entry in pairs(named) do
    if not entry.used then
      diagnostics.error({entry.line},
        string.format("nothing uses the %s '%s'", entry.kind, entry.name),
        'use it in the text, or delete its definition')
    end
  end
end

return M
