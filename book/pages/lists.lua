-- Fills the page of all listings, figures and tables from captions.tsv, which
-- tools/index.py reads out of the finished chapters:
--   kind, address, label, the caption's first sentence, chapter

package.path = pandoc.path.directory(PANDOC_SCRIPT_FILE) .. '/?.lua;' ..
               package.path

local fill = require 'fill'
local words = fill.words

local kinds = {
  {'lst', 'Listings', 'listings'},
  {'fig', 'Figures', 'figures'},
  {'tbl', 'Tables', 'tables'},
}

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
  local rows = pandoc.List(fill.rows(
    pandoc.utils.stringify(doc.meta['book-captions'])))
  return fill.fill(doc, {lists = function()
    local blocks = pandoc.Blocks{}
    for _, kind in ipairs(kinds) do
      local entries = rows:filter(function(cells) return cells[1] == kind[1] end)
      if #entries > 0 then
        blocks:insert(pandoc.Header(2, words(kind[2]), {id = kind[3]}))
        add_lists(blocks, entries)
      end
    end
    return blocks
  end})
end
