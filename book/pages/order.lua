-- The order of what can be cited, out of the style's `<sort>`, for a document
-- with `nocite: '@*'`: before citeproc and again behind it.
--
-- To sort anything, citeproc first sets up the alphabets of all languages: that
-- takes a sixth of a chapter's page. So it sorts once, here, and chapters have a
-- style without `<sort>` and this list (citations.lua):
--
--   key <tab> place in the list of what is cited <tab> rank within brackets
--
-- Those of one rank stay as they were written.

local function cite(keys)
  local citations = pandoc.List()
  for _, key in ipairs(keys) do
    citations:insert(pandoc.Citation(key, 'NormalCitation'))
  end
  return pandoc.Para{pandoc.Cite({pandoc.Str('all')}, citations)}
end

-- All in one bracket, from the first to the last and from the last to the first.
local function asked(doc)
  local forth, back = pandoc.List(), pandoc.List()
  for _, entry in ipairs(pandoc.utils.references(doc)) do
    forth:insert(entry.id)
    back:insert(1, entry.id)
  end
  return pandoc.Pandoc({cite(forth), cite(back)}, doc.meta)
end

-- Keys in the order of their links.
local function linked(block)
  local keys, seen = {}, {}
  block:walk{Link = function(link)
    local key = link.target:match('^#ref%-(.*)$')
    if key and not seen[key] then
      seen[key] = true
      keys[#keys + 1] = key
    end
  end}
  return keys
end

local function positions(keys)
  local at = {}
  for i, key in ipairs(keys) do at[key] = i end
  return at
end

local function answered(blocks)
  local forth, back = linked(pandoc.Div{blocks[1]}), linked(pandoc.Div{blocks[2]})
  local other = positions(back)
  local listed, lines, rank = {}, {}, 0
  blocks[3]:walk{Div = function(entry)
    local key = entry.identifier:match('^ref%-(.*)$')
    if key then listed[#listed + 1] = key end
  end}
  local place = positions(listed)
  for i, key in ipairs(forth) do
    -- Alike are those that come the other way round when asked so.
    if i == 1 or other[forth[i - 1]] < other[key] then rank = rank + 1 end
    lines[#lines + 1] = string.format('%s\t%d\t%d', key, place[key], rank)
  end
  assert(#forth == #back and #forth == #listed and #forth > 0,
         'some can be cited, but not sorted')
  table.sort(lines)
  return table.concat(lines, '\n')
end

return {{Pandoc = function(doc)
  if #doc.blocks == 3 and doc.blocks[3].identifier == 'refs' then
    return pandoc.Pandoc{pandoc.RawBlock('plain', answered(doc.blocks))}
  end
  return asked(doc)
end}}
