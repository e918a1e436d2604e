-- Where a paragraph's numbers come from, beside it: in the margin of a wide
-- screen, below the paragraph on a narrow one. A section names each source
-- once, at its first number. Print has footnotes.

local settings = require 'settings'
local provenance = require 'provenance'

local noted = {}

-- The sources of these inlines' numbers that the section has not named.
local function new_sources(block)
  local list = {}
  block:walk {Link = function(link)
    if not link.classes:includes('result') then return end
    local number = tonumber(link.target:match('^#source%-(%d+)$'))
    if number and not noted[number] then
      noted[number] = true
      list[#list + 1] = provenance.list[number]
    end
  end}
  return list
end

-- "NVIDIA H200, 2026-11-20: transpose/bandwidth, transpose/order", a list of
-- inlines for each machine and day.
local function lines(sources)
  local all, by_place = {}, {}
  for _, entry in ipairs(sources) do
    local place = provenance.where_when(entry)
    local line = by_place[place]
    if line then
      line:extend {pandoc.Str(','), pandoc.Space()}
    else
      line = pandoc.List {pandoc.Str(place .. ':'), pandoc.Space()}
      by_place[place] = line
      all[#all + 1] = line
    end
    line:insert(provenance.link(entry, entry.name))
  end
  return all
end

local function note(sources)
  local inlines = pandoc.List()
  for i, line in ipairs(lines(sources)) do
    if i > 1 then inlines:extend {pandoc.Str(';'), pandoc.Space()} end
    inlines:extend(line)
  end
  return pandoc.Span(inlines, {class = 'sidenote', role = 'note'})
end

local function para(block)
  local sources = new_sources(block)
  if #sources == 0 then return nil end
  local content = block.content
  content:insert(note(sources))
  return pandoc.Para(content), false
end

local skipped = {'caption', 'figure', 'listing', 'output', 'result-table',
                 'table', 'exercise', 'doubt-note'}

local function div(el)
  for _, class in ipairs(skipped) do
    if el.classes:includes(class) then return el, false end
  end
end

return {{Pandoc = function(doc)
  if settings.latex then return nil end
  return doc:walk {
    traverse = 'topdown', Div = div, Para = para,
    Table = function(table_) return table_, false end,
    Header = function(header) if header.level == 2 then noted = {} end end,
  }
end}}
