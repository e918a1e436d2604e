-- Fills the index of terms. From terms.tsv, which tools/index.py reads out
-- of the finished chapters:
--   term, address, chapter, "explained" or "used"
-- and from labels.tsv, which has the glossary's words.

package.path = pandoc.path.directory(PANDOC_SCRIPT_FILE) .. '/?.lua;' ..
               package.path

local fill = require 'fill'
local stringify = pandoc.utils.stringify

-- The words in the order of the alphabet; where each is used, in the book's.
local function terms(meta)
  local list, by_id = {}, {}
  for _, cells in ipairs(fill.rows(stringify(meta['book-labels']))) do
    local id, _, title, slug = table.unpack(cells)
    if id:match('^term:') then
      by_id[id] = {id = id, title = title, page = slug .. '.html', uses = {}}
      list[#list + 1] = by_id[id]
    end
  end
  for _, cells in ipairs(fill.rows(stringify(meta['book-terms']))) do
    local id, address, chapter, kind = table.unpack(cells)
    if by_id[id] then
      table.insert(by_id[id].uses, {address = address, chapter = chapter,
                                    explained = kind == 'explained'})
    end
  end
  table.sort(list, function(a, b)
    local one, two = a.title:lower(), b.title:lower()
    if one ~= two then return one < two end
    return a.id < b.id
  end)
  return list
end

local function use(entry)
  local link = pandoc.Link(pandoc.Inlines(entry.chapter), entry.address)
  return entry.explained and pandoc.Strong{link} or link
end

local function uses(term)
  local inlines = pandoc.Inlines{}
  for i, entry in ipairs(term.uses) do
    if i > 1 then inlines:extend{pandoc.Str(','), pandoc.Space()} end
    inlines:insert(use(entry))
  end
  if #inlines == 0 then inlines:insert(pandoc.Str('only in the glossary')) end
  return inlines
end

local function entry(term)
  return {{pandoc.Link(pandoc.Inlines(term.title),
                       term.page .. '#' .. term.id)},
          {{pandoc.Plain(uses(term))}}}
end

-- A heading for each letter that some word begins with.
function Pandoc(doc)
  local blocks, letters, items = pandoc.Blocks{}, pandoc.Inlines{}, {}
  local letter
  for _, term in ipairs(terms(doc.meta)) do
    local first = term.title:sub(1, 1):upper()
    if first ~= letter then
      letter, items = first, {}
      local id = 'letter-' .. letter:lower()
      letters:extend{pandoc.Link(letter, '#' .. id), pandoc.Space()}
      blocks:insert(pandoc.Header(2, letter, pandoc.Attr(id, {'unlisted'})))
      blocks:insert(pandoc.DefinitionList{})
    end
    items[#items + 1] = entry(term)
    blocks[#blocks] = pandoc.DefinitionList(items)
  end
  blocks:insert(1, pandoc.Div({pandoc.Para(letters)}, {class = 'letters'}))
  return fill.fill(doc, {terms = function() return blocks end})
end
