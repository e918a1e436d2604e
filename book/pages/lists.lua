-- Fills the page of all listings, figures and tables from captions.tsv, which
-- tools/index.py reads out of the finished chapters:
--   kind, address, label, the caption's first sentence, chapter

local stringify = pandoc.utils.stringify

local kinds = {
  {'lst', 'Listings', 'listings'},
  {'fig', 'Figures', 'figures'},
  {'tbl', 'Tables', 'tables'},
}

local function rows(path, kind)
  local found = {}
  for line in io.lines(path) do
    local cells = {}
    for cell in (line .. '\t'):gmatch('([^\t]*)\t') do
      cells[#cells + 1] = cell
    end
    if cells[1] == kind then found[#found + 1] = cells end
  end
  return found
end

local function words(text) return pandoc.Inlines(text) end

-- One list a chapter, below the chapter's name.
local function add_lists(blocks, entries)
  local chapter, items
  for _, cells in ipairs(entries) do
    local _, address, label, text, title = table.unpack(cells)
    if title ~= chapter then
      chapter, items = title, pandoc.List()
      blocks:insert(pandoc.Para{pandoc.Strong(words(title))})
      blocks:insert(pandoc.BulletList{})
    end
    local entry = pandoc.Inlines{pandoc.Link(words(label), address)}
    entry:insert(pandoc.Space())
    entry:extend(words(text))
    items:insert{pandoc.Plain(entry)}
    blocks[#blocks] = pandoc.BulletList(items)
  end
end

function Pandoc(doc)
  local path = stringify(doc.meta['book-captions'])
  return doc:walk{Div = function(div)
    if not div.classes:includes('lists') then return nil end
    local blocks = pandoc.Blocks{}
    for _, kind in ipairs(kinds) do
      local entries = rows(path, kind[1])
      if #entries > 0 then
        blocks:insert(pandoc.Header(2, words(kind[2]), {id = kind[3]}))
        add_lists(blocks, entries)
      end
    end
    div.content = blocks
    return div
  end}
end
