-- All claims of some chapters against the results, without making a page:
--
--   pandoc -f native -t plain -L book/filters/claims.lua -M book-root=. \
--     -M claims-of=chapters/14-transpose.md,… /dev/null
--
-- A line for each that is false or cannot be computed, its fields separated by
-- tabs: chapter, line, name, "false" or what is wrong, words, expression,
-- values. The last line has the numbers of claims, false ones and others.
-- With book-machine a reader's machine is asked, otherwise the reference.
-- tools/results claims runs it.

local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
package.path = here .. '/?.lua;' .. here .. '/lib/?.lua;' .. package.path

local settings = require 'settings'
local definitions = require 'definitions'
local evaluate = require 'evaluate'
local expression = require 'expression'
local pinned = require 'pinned'
local diagnostics = require 'diagnostics'

local function flat(text)
  return (tostring(text):gsub('%s+', ' '):match('^ ?(.-) ?$'))
end

local function read(path)
  local file = assert(io.open(path, 'rb'))
  local text = file:read('a')
  file:close()
  return text
end

-- Where a name is used: [words]{holds=name …}, or {name} in a sentence.
local function used_at(text, entry)
  local place
  if entry.kind == 'claim' then
    place = text:find('holds=' .. entry.name .. '[ }\n]')
  else
    place = text:find('{' .. entry.name .. '}', 1, true)
  end
  return place or text:find('\n' .. entry.name .. '%s*[=:]') or 1
end

local function line_of(text, place)
  local _, n = text:sub(1, place):gsub('\n', '')
  return n + 1
end

local function words_of(text, entry, place)
  if entry.kind == 'claim' then
    local before = text:sub(1, place):match('.*()%b[]{[^{}]*$')
    if before then return flat(text:sub(before):match('^%[(.-)%]{') or '') end
  end
  return '… ' .. flat(text:sub(math.max(1, place - 50), place + 50)) .. ' …'
end

local function values_of(outcome)
  local parts, known = {}, {}
  for _, query in ipairs(outcome.queries) do
    if not known[query.text] then
      local value = query.value
      if type(value) == 'number' then value = string.format('%.6g', value) end
      parts[#parts + 1] = query.text .. ' = ' .. value
    end
    known[query.text] = true
  end
  return table.concat(parts, '; ')
end

-- What is wrong with it, or nil; then what was computed. Of a value without a
-- bound it is enough that there is one.
local function ask(entry, mine)
  local ok, outcome = pcall(evaluate.tree, entry.holds or entry.tree, mine)
  if not ok then
    return type(outcome) == 'table' and outcome.message or outcome
  end
  if not entry.holds then return nil, outcome end
  if outcome.value ~= true then return 'false', outcome end
  local fine, fault = true, nil
  if entry.asks then fine, fault = pcall(pinned.check, outcome.tree) end
  return not fine and (fault.message or fault) or nil, outcome
end

local function entries_of(text)
  local named, list = {}, {}
  for block in ('\n' .. text):gmatch('\n```values[^\n]*\n(.-)\n```') do
    definitions.read(block, named)
  end
  for _, entry in pairs(named) do list[#list + 1] = entry end
  return list
end

local function claims_of(path, mine, lines, count)
  local text = read(settings.root .. '/' .. path)
  settings.slug, settings.chapter = path:match('%d+i?%-([^/]+)%.md$'), path
  local found = {}
  for _, entry in ipairs(entries_of(text)) do
    if entry.asks or entry.kind == 'claim' then
      count.all = count.all + (entry.holds and 1 or 0)
      local wrong, outcome = ask(entry, mine)
      if wrong then
        local kind = wrong == 'false' and 'wrong' or 'unknown'
        count[kind] = count[kind] + 1
        local place = used_at(text, entry)
        found[#found + 1] = {line_of(text, place), table.concat({
          path, line_of(text, place), entry.name, flat(wrong),
          words_of(text, entry, place),
          expression.text(entry.holds or entry.tree),
          outcome and values_of(outcome) or ''}, '\t')}
      end
    end
  end
  table.sort(found, function(a, b)
    return a[1] < b[1] or a[1] == b[1] and a[2] < b[2]
  end)
  for _, one in ipairs(found) do lines[#lines + 1] = one[2] end
end

return {{Pandoc = function(doc)
  settings.load(doc.meta)
  local mine = settings.machines[1] or false
  local lines, count = {}, {all = 0, wrong = 0, unknown = 0}
  local chapters = pandoc.utils.stringify(doc.meta['claims-of'])
  for path in chapters:gmatch('[^,]+') do
    local ok, fault = pcall(claims_of, path, mine, lines, count)
    if not ok then
      count.unknown = count.unknown + 1
      lines[#lines + 1] = table.concat({path, 1, '', flat(
        type(fault) == 'table' and fault.message or fault), '', '', ''}, '\t')
    end
  end
  diagnostics.stop_if_any()   -- of definitions that cannot be read
  lines[#lines + 1] = string.format('%d\t%d\t%d', count.all, count.wrong,
                                    count.unknown)
  return pandoc.Pandoc({pandoc.RawBlock('plain', table.concat(lines, '\n'))})
end}}
