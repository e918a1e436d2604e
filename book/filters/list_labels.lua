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

local function flat(text) return (text:gsub('%s+', ' ')) end

local function place(id) return settings.chapter .. ':' .. labels.line(id) end

local function list(doc)
  local lines = {}
  local function add(...)
    lines[#lines + 1] = table.concat({...}, '\t')
  end
  add('slug', settings.slug, settings.chapter)
  for _, entry in ipairs(labels.order) do
    add('label', entry.id, entry.number, flat(entry.title), entry.slug,
        place(entry.id))
  end
  doc:walk {Div = function(el)
    local attributes = el.attributes
    if el.classes:includes('listing') and attributes.source and
       attributes.tag then
      add('use', attributes.source, attributes.tag, place(el.identifier))
    end
  end}
  return table.concat(lines, '\n')
end

return {{Pandoc = function(doc)
  local document = chain.run(
    {'begin', 'values', 'sentence', 'result_tables', 'number'}, doc)
  diagnostics.stop_if_any()
  return tree.write(pandoc.Pandoc {pandoc.RawBlock('plain', list(document))})
end}}
