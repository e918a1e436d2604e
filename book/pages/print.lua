-- The frame of a chapter on paper, for templates/chapter.tex. Runs after the
-- filters of the book (book/filters), as a second -L.

local stringify = pandoc.utils.stringify

-- Lines that differ from the version before, for fvextra.
local function CodeBlock(block)
  local changed = block.attributes['data-changed'] or ''
  if changed == '' then return nil end
  return {
    pandoc.RawBlock('latex', '\\fvset{highlightlines={' .. changed .. '}}'),
    block,
    pandoc.RawBlock('latex', '\\fvset{highlightlines={}}'),
  }
end

local function number_of(outline, slug)
  for line in io.lines(outline) do
    local number, name = line:match('^([^\t]*)\t([^\t]*)\t')
    if name == slug then return number end
  end
end

function Pandoc(doc)
  local meta = doc.meta
  local number = number_of(stringify(meta['book-outline']),
                           stringify(meta.slug or ''))
  if number then
    meta.number = number
    meta.lane = tostring(tonumber(number) and (tonumber(number) - 1) % 32
                         or 31)
  end
  return doc:walk{CodeBlock = CodeBlock}
end
