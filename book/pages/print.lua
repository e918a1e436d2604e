-- The frame of a chapter on paper, for templates/chapter.tex. Runs after the
-- filters of the book (book/filters), as a second -L.

local stringify = pandoc.utils.stringify

-- Lines that differ from the version before, for fvextra.
local function CodeBlock(block)
  if block.classes:includes('console') then
    return {pandoc.RawBlock('latex', '\\begin{bookconsole}'), block,
            pandoc.RawBlock('latex', '\\end{bookconsole}')}
  end
  local changed = block.attributes['data-changed'] or ''
  if changed == '' then return nil end
  return {
    pandoc.RawBlock('latex', '\\fvset{highlightlines={' .. changed .. '}}'),
    block,
    pandoc.RawBlock('latex', '\\fvset{highlightlines={}}'),
  }
end

-- A listing that fits on a page with something else stays in one piece, and
-- with the heading above it; a longer one begins where a good part fits.
local most_together, least_together = 28, 12
local line_points, around_points = 10.4, 60

local function count_lines(div)
  local n_lines
  div:walk{CodeBlock = function(block)
    local _, breaks = block.text:gsub('\n', '')
    n_lines = n_lines or breaks + 1
  end}
  return n_lines
end

local function Div(div)
  if not div.classes:includes('listing') and
     not div.classes:includes('output') then
    return nil
  end
  local n_lines = count_lines(div)
  if not n_lines then return nil end
  local before, after
  if n_lines <= most_together then
    before, after = '\\fvset{samepage=true}', '\\fvset{samepage=false}'
  else
    before = string.format('\\par\\Needspace{%.0fpt}',
                           least_together * line_points + around_points)
  end
  div.content:insert(1, pandoc.RawBlock('latex', before))
  if after then div.content:insert(pandoc.RawBlock('latex', after)) end
  return div
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
  return doc:walk{Div = Div}:walk{CodeBlock = CodeBlock}
end
