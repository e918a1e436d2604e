-- The pass beside a chapter's page: it reads the sentences, which stops the
-- build if nothing vouches for one, and lists the chapter's labels and the
-- snippets it cites, as lines of text.
--
--   pandoc -f markdown -t plain -L book/filters/list_labels.lua \
--     -M book-root=. -o transpose.labels chapters/14-transpose.md
--
--   label  <id> <number> <title> <slug> <file:line>
--   use    <path> <tag> <file:line>
--   slug   <slug> <file>
--
-- separated by tabs.  book/tools/labels.py makes the index of them.

local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
package.path = here .. '/?.lua;' .. here .. '/lib/?.lua;' .. package.path

local chain = require 'chain'
local tree = require 'tree'
local settings = require 'settings'
local diagnostics = require 'diagnostics'
local labels = require 'labels'
local source = require 'source'

local function flat(text) return (text:gsub('%s+', ' ')) end

local function place(line) return settings.chapter .. ':' .. line end

local function uses(doc)
  local lines = {}
  doc:walk {Div = function(el)
    local attributes = el.attributes
    if el.classes:includes('listing') and attributes.source and
       attributes.tag then
      local line = source.nth('#' .. el.identifier, 1)
      lines[#lines + 1] = table.concat(
        {'use', attributes.source, attributes.tag, place(line)}, '\t')
    end
  end}
  return lines
end

local function list(doc)
  local lines = {'slug\t' .. settings.slug .. '\t' .. settings.chapter}
  for _, entry in ipairs(labels.order) do
    lines[#lines + 1] = table.concat(
      {'label', entry.id, entry.number, flat(entry.title), entry.slug,
       place(labels.line(entry.id))}, '\t')
  end
  for _, line in ipairs(uses(doc)) do lines[#lines + 1] = line end
  return table.concat(lines, '\n')
end

return {{Pandoc = function(doc)
  local document = chain.run(
    {'begin', 'values', 'sentence', 'result_tables', 'number'}, doc)
  diagnostics.stop_if_any()
  return tree.write(pandoc.Pandoc {pandoc.RawBlock('plain', list(document))})
end}}
