-- Labels (`#fig:name` …), their numbers, and the index of all chapters'.

local settings = require 'settings'
local diagnostics = require 'diagnostics'
local source = require 'source'
local suggest = require 'suggest'

local M = {}

-- kind → word before the number
M.kinds = {
  fig = 'Figure', lst = 'Listing', tbl = 'Table', exr = 'Exercise',
  eq = 'Equation', sec = 'Section', chp = 'Chapter', clm = 'Claim',
}

M.own = {}       -- label → entry of this chapter
M.order = {}     -- the same in the order of their numbers
M.index = {}     -- label → entry of any chapter
M.slugs = {}     -- slug → true, every chapter
local counters = {}

function M.kind_of(id) return id:match('^(%l+):') end

function M.number_text(count)
  return settings.number and settings.number .. '.' .. count or tostring(count)
end

-- The line of a label of this chapter, for messages: looking takes time.
function M.line(id) return source.nth('#' .. id, 1) end

function M.add(id, kind, number, title)
  if M.own[id] then
    diagnostics.at(settings.chapter, source.nth('#' .. id, 2),
      string.format("label '%s' is there twice in this chapter", id),
      'first in line ' .. M.line(id) .. '; give one another name')
    return
  end
  if not id:match('^%l+:[%w][%w_%-]*$') then
    diagnostics.error('#' .. id, string.format("label '%s' is misspelt", id),
                      'use letters, digits, - and _ behind the colon')
  end
  local entry = {id = id, kind = kind, number = number, title = title or '',
                 slug = settings.slug}
  M.own[id] = entry
  M.order[#M.order + 1] = entry
end

local function count(id, kind, title)
  counters[kind] = (counters[kind] or 0) + 1
  M.add(id, kind, M.number_text(counters[kind]), title)
end

-- ---- One walk over the document gives every label its number -------------

local sections = {}

local function header(el)
  if el.level == 1 then
    diagnostics.error(pandoc.utils.stringify(el.content),
                      'a heading of the first level',
                      'the title stands in the front matter; begin with ##')
    return
  end
  if el.classes:includes('unnumbered') then return end
  local depth = el.level - 1
  sections[depth] = (sections[depth] or 0) + 1
  for deeper = depth + 1, 6 do sections[deeper] = nil end
  local parts = {}
  for i = 1, depth do parts[i] = sections[i] or 0 end
  local number = M.number_text(table.concat(parts, '.'))
  local kind = M.kind_of(el.identifier)
  local title = pandoc.utils.stringify(el.content)
  if kind == 'sec' or kind == 'term' then
    M.add(el.identifier, kind, kind == 'sec' and number or '', title)
  end
  if depth <= 2 and kind ~= 'term' then
    el.attributes['data-number'] = number
    return el
  end
end

-- Which labels a Div may bear, by what it is.
local function div_kind(el)
  if el.classes:includes('listing') then return 'lst' end
  if el.classes:includes('exercise') then return 'exr' end
  if el.classes:includes('result-table') then return 'tbl' end
  local kind = M.kind_of(el.identifier)
  if kind == 'tbl' or kind == 'clm' then return kind end
  if kind == 'lst' and el.classes:includes('output') then return kind end
end

local function div(el)
  local kind = M.kind_of(el.identifier)
  if kind and kind == div_kind(el) then count(el.identifier, kind) end
end

local function span(el)
  local kind = M.kind_of(el.identifier)
  if kind == 'eq' or kind == 'clm' then count(el.identifier, kind) end
  if kind == 'term' then
    M.add(el.identifier, kind, '', pandoc.utils.stringify(el.content))
  end
end

-- `$$…$$ {#eq:name}`: pandoc leaves the braces as text; make it a span.
local function equations(inlines)
  local list, changed = pandoc.List(), false
  for _, el in ipairs(inlines) do
    local id, rest
    if el.t == 'Str' then id, rest = el.text:match('^{#(eq:[%w_%-]+)}(.*)$') end
    local at = #list
    if id and at > 1 and list[at].t ~= 'Math' then at = at - 1 end
    local math = id and list[at]
    if math and math.t == 'Math' and math.mathtype == 'DisplayMath' then
      list[at] = pandoc.Span({math}, {id = id, class = 'equation'})
      list[at + 1] = rest ~= '' and pandoc.Str(rest) or nil
      changed = true
    else
      list:insert(el)
    end
  end
  if changed then return list end
end

-- A lone image is Para[Image] in pandoc 2 and Figure in pandoc 3: from here
-- on it is a Div of class `figure` that holds the Image, with the id.
local function figure_div(image, id)
  if not image.src:match('%.gp$') and not image.src:match('%.lua$') then
    return nil
  end
  if id ~= '' then image.identifier = id end
  local box = pandoc.Div({pandoc.Plain {image}},
                         pandoc.Attr(image.identifier, {'figure'}))
  if M.kind_of(image.identifier) == 'fig' then
    count(image.identifier, 'fig')
  end
  image.identifier = ''
  return box
end

local function para(el)
  if #el.content == 1 and el.content[1].t == 'Image' then
    return figure_div(el.content[1], '')
  end
end

local function figure(el)
  local inner = el.content[1]
  local image = inner and inner.content and inner.content[1]
  if not image or image.t ~= 'Image' then return nil end
  -- pandoc 3 keeps the caption in the Figure, and the alt text, where there is
  -- one, in the Image's caption.
  local caption = pandoc.utils.blocks_to_inlines(el.caption.long)
  local alt = pandoc.utils.stringify(image.caption)
  if alt ~= pandoc.utils.stringify(caption) then
    image.attributes.alt = image.attributes.alt or alt
  end
  image.caption = caption
  return figure_div(image, el.identifier)
end

local function collect_ids(doc)
  local ids, filter = {}, {}
  local function keep(el)
    if el.identifier ~= '' then ids[el.identifier] = true end
  end
  for _, t in ipairs {'Header', 'Div', 'Span', 'CodeBlock', 'Code', 'Link',
                      'Image', 'Table', 'Figure'} do
    filter[t] = keep
  end
  doc:walk(filter)
  return ids
end

-- Every id of this chapter.
local numbered
function M.ids()
  numbered.ids = numbered.ids or collect_ids(numbered.doc)
  return numbered.ids
end

-- Are there display formulas, are there images? Handing every list of words
-- of a chapter to Lua takes longer than all else here, so that is done only
-- where there is something to find.
local function looked_at(doc)
  local formulas, images = false, false
  doc:walk {
    Math = function(el) formulas = formulas or el.mathtype == 'DisplayMath' end,
    Image = function() images = true end,
  }
  return formulas, images
end

function M.number(doc)
  M.add('chp:' .. settings.slug, 'chp', settings.number or '', settings.title)
  local formulas, images = looked_at(doc)
  if formulas then doc = doc:walk {Inlines = equations} end
  doc = doc:walk {Header = header, Span = span, Div = div, Figure = figure,
                  Para = images and para or nil}
  numbered = {doc = doc}
  if settings.latex then M.ids() end     -- print puts the slug in front of some
  M.read_index()
  return doc
end

-- ---- The index -----------------------------------------------------------

-- A chapter's own labels are those that it has now, whatever a file says: the
-- build reads them again while it makes the page.
local function read_labels(path)
  local file, why = io.open(path)
  if not file then
    diagnostics.at(settings.shown(path), 1,
                   'cannot read the index of labels: ' .. why,
                   'make it with book/tools/labels.py merge')
    return
  end
  for line in file:lines() do
    local id, number, title, slug =
      line:match('^([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)$')
    if id and slug ~= settings.slug then
      M.index[id] = {id = id, kind = M.kind_of(id), number = number,
                     title = title, slug = slug}
      M.slugs[slug] = true
    end
  end
  file:close()
end

function M.read_index()
  local own = '/' .. settings.slug .. '.index'
  for _, path in ipairs(settings.labels) do
    if path:sub(-#own) ~= own then read_labels(path) end
  end
  for id, entry in pairs(M.own) do M.index[id] = entry end
  M.slugs[settings.slug] = true
end

-- All labels of a kind, sorted.
function M.of_kind(kind)
  return suggest.keys(M.index, function(entry) return entry.kind == kind end)
end

-- The entry of a label, or nil and an error reported at `needles`.
function M.find(id, needles)
  local entry = M.index[id]
  if entry then return entry end
  diagnostics.error(needles, string.format("no label '%s'", id),
                    suggest.among(id, M.of_kind(M.kind_of(id)),
                                  'labels of this kind:'))
end

function M.href(entry)
  if settings.latex or entry.slug == settings.slug and entry.kind ~= 'chp' then
    return '#' .. entry.id
  end
  if entry.kind == 'chp' then return entry.slug .. '.html' end
  return entry.slug .. '.html#' .. entry.id
end

function M.name(entry)
  local word = M.kinds[entry.kind]
  if entry.kind == 'chp' and entry.number:match('^%u$') then
    word = 'Appendix'
  end
  if entry.kind == 'chp' and entry.number == 'i' then return 'the interlude' end
  if entry.number == '' then return entry.title end
  if entry.kind == 'eq' then return word .. '\u{A0}(' .. entry.number .. ')' end
  return word .. '\u{A0}' .. entry.number
end

return M
