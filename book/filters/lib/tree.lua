-- The document as tables of Lua's own, with the fields and methods of pandoc's
-- elements.
--
-- pandoc keeps the document to itself: each pass of a filter over it, each
-- element and each field that Lua asks for is carried across, and the book's
-- filters ask for all words of a chapter several times. Here the document comes
-- over once, as JSON, all filters work on tables, and it goes back once. That
-- halves the time of a page. `tree.install` puts functions of the same names
-- into `pandoc`, so that filters need not know.
--
-- Only what the book's filters use is here: typewise and topdown walks, and
-- the elements that Markdown gives. Unlike pandoc's own, a walk hands out the
-- elements themselves: what a function changes in them stays, even if it
-- returns nil.

local M = {}

local real = pandoc

local find, sub, gsub = string.find, string.sub, string.gsub

-- ---- Lists, with the methods of pandoc.List that filters use ------------------

-- Not pandoc's: filters that used 2.17's lists in these tables crashed now and
-- then, with Lua's memory overwritten.

local List = {}
List.__index = List
List.insert, List.remove, List.sort = table.insert, table.remove, table.sort

function List.extend(items, more)
  table.move(more, 1, #more, #items + 1, items)
end

function List.includes(items, wanted)
  for i = 1, #items do
    if items[i] == wanted then return true end
  end
  return false
end

function List.map(items, f)
  local new = setmetatable({}, List)
  for i = 1, #items do new[i] = f(items[i]) end
  return new
end

function List.__concat(a, b)
  local new = setmetatable({}, List)
  table.move(a, 1, #a, 1, new)
  return table.move(b, 1, #b, #a + 1, new)
end

-- ---- Elements -----------------------------------------------------------------

local methods = {}
local Element = {__index = methods}

local function list(t)
  if getmetatable(t) == nil then setmetatable(t, List) end
  return t
end

-- A list of pairs that can be asked by name, as pandoc's.
local Attributes = {
  __index = function(pairs_, key)
    if type(key) ~= 'string' then return nil end
    for i = 1, #pairs_ do
      if pairs_[i][1] == key then return pairs_[i][2] end
    end
  end,
  __newindex = function(pairs_, key, value)
    if type(key) ~= 'string' then return rawset(pairs_, key, value) end
    for i = 1, #pairs_ do
      if pairs_[i][1] == key then
        if value == nil then for k = i, #pairs_ do rawset(pairs_, k, rawget(pairs_, k + 1)) end
        else pairs_[i] = {key, value} end
        return
      end
    end
    if value ~= nil then rawset(pairs_, #pairs_ + 1, {key, value}) end
  end,
  __pairs = function(pairs_)
    local i = 0
    return function()
      i = i + 1
      local pair = rawget(pairs_, i)
      if pair then return pair[1], pair[2] end
    end
  end,
}

local function attributes_of(t)
  if getmetatable(t) == Attributes then return t end
  local found = {}
  if #t > 0 then
    for i, pair in ipairs(t) do found[i] = {pair[1], pair[2]} end
  else
    for key, value in pairs(t) do found[#found + 1] = {key, value} end
    table.sort(found, function(a, b) return a[1] < b[1] end)
  end
  return setmetatable(found, Attributes)
end

local function attr(identifier, classes, attributes)
  return {is_attr = true, identifier = identifier or '',
          classes = list(classes or {}),
          attributes = attributes_of(attributes or {})}
end

-- What a constructor was given for an Attr: one, nothing, or {id = …, class =
-- "a b", key = …}.
local function to_attr(given)
  if given == nil then return attr() end
  if given.is_attr then return given end
  local rest, classes = {}, {}
  for key, value in pairs(given) do
    if key ~= 'id' and key ~= 'class' then rest[key] = value end
  end
  for class in (given.class or ''):gmatch('%S+') do
    classes[#classes + 1] = class
  end
  return attr(given.id, classes, rest)
end

local function element(t, fields, given)
  fields.t = t
  if given then
    fields.identifier, fields.classes = given.identifier, given.classes
    fields.attributes = given.attributes
  end
  return setmetatable(fields, Element)
end

-- A list of elements out of a list, an element or a text.
local function contents(given)
  if type(given) == 'string' then
    return list {element('Str', {text = given})}
  end
  if given.t then return list {given} end
  return list(given)
end

local space = element('Space', {})
local soft_break = element('SoftBreak', {})
local line_break = element('LineBreak', {})

local make = {
  Attr = attr,
  List = function(given) return setmetatable(given or {}, List) end,
  Str = function(text) return element('Str', {text = text}) end,
  Space = function() return space end,
  Code = function(text, given)
    return element('Code', {text = text}, to_attr(given))
  end,
  CodeBlock = function(text, given)
    return element('CodeBlock', {text = text}, to_attr(given))
  end,
  RawInline = function(format, text)
    return element('RawInline', {format = format, text = text})
  end,
  RawBlock = function(format, text)
    return element('RawBlock', {format = format, text = text})
  end,
  Link = function(content, target, title, given)
    return element('Link', {content = contents(content), target = target,
                            title = title or ''}, to_attr(given))
  end,
  Header = function(level, content, given)
    return element('Header', {level = level, content = contents(content)},
                   to_attr(given))
  end,
  Cite = function(content, citations)
    return element('Cite', {content = contents(content),
                            citations = list(citations)})
  end,
  Citation = function(id, mode)
    return {id = id, mode = mode, prefix = list {}, suffix = list {},
            note_num = 0, hash = 0}
  end,
  BulletList = function(items)
    return element('BulletList', {content = list(items)})
  end,
  OrderedList = function(items)
    return element('OrderedList', {content = list(items), start = 1,
      style = 'DefaultStyle', delimiter = 'DefaultDelim'})
  end,
  SimpleTable = function(caption, aligns, widths, headers, rows)
    return {caption = caption, aligns = aligns, widths = widths,
            headers = headers, rows = rows}
  end,
}
for _, t in ipairs {'Para', 'Plain', 'Superscript', 'Strong', 'Emph'} do
  make[t] = function(content)
    return element(t, {content = contents(content)})
  end
end
for _, t in ipairs {'Div', 'Span'} do
  make[t] = function(content, given)
    return element(t, {content = contents(content)}, to_attr(given))
  end
end

-- ---- What an element holds ------------------------------------------------------

local holds = {
  Div = 'blocks', BlockQuote = 'blocks', Note = 'blocks',
  BulletList = 'items', OrderedList = 'items', LineBlock = 'lines',
  DefinitionList = 'definitions', Table = 'table', Figure = 'figure',
  Image = 'caption', Cite = 'cite',
}
for t in ([[Para Plain Header Emph Underline Strong Strikeout Superscript
    Subscript SmallCaps Quoted Link Span]]):gmatch('%a+') do
  holds[t] = 'inlines'
end

local function copy(t)
  local new = {}
  for key, value in next, t do new[key] = value end
  return setmetatable(new, getmetatable(t))
end

-- The element with another value of the field; the same if it is none.
local function with(el, field, value)
  if el[field] == value then return el end
  el = copy(el)
  el[field] = value
  return el
end

local function mapped(items, f)
  local new
  for i = 1, #items do
    local item = f(items[i])
    if item ~= items[i] then
      new = new or copy(items)
      new[i] = item
    end
  end
  return new or items
end

local function map_rows(rows, blocks)
  return mapped(rows, function(row)
    return with(row, 'cells', mapped(row.cells, function(cell)
      return with(cell, 'contents', blocks(cell.contents))
    end))
  end)
end

local function map_caption(caption, inlines, blocks)
  if caption.short then
    caption = with(caption, 'short', inlines(caption.short))
  end
  return with(caption, 'long', blocks(caption.long))
end

-- The element with f(…) in place of the lists that it holds; `inlines` and
-- `blocks` give a list for a list.
local map = {
  inlines = function(el, inlines)
    return with(el, 'content', inlines(el.content))
  end,
  blocks = function(el, inlines, blocks)
    return with(el, 'content', blocks(el.content))
  end,
  items = function(el, inlines, blocks)
    return with(el, 'content', mapped(el.content, blocks))
  end,
  lines = function(el, inlines)
    return with(el, 'content', mapped(el.content, inlines))
  end,
  definitions = function(el, inlines, blocks)
    return with(el, 'content', mapped(el.content, function(item)
      item = with(item, 1, inlines(item[1]))
      return with(item, 2, mapped(item[2], blocks))
    end))
  end,
  caption = function(el, inlines)
    return with(el, 'caption', inlines(el.caption))
  end,
  cite = function(el, inlines)
    el = with(el, 'citations', mapped(el.citations, function(citation)
      citation = with(citation, 'prefix', inlines(citation.prefix))
      return with(citation, 'suffix', inlines(citation.suffix))
    end))
    return with(el, 'content', inlines(el.content))
  end,
  figure = function(el, inlines, blocks)
    el = with(el, 'caption', map_caption(el.caption, inlines, blocks))
    return with(el, 'content', blocks(el.content))
  end,
  table = function(el, inlines, blocks)
    el = with(el, 'caption', map_caption(el.caption, inlines, blocks))
    el = with(el, 'head', with(el.head, 'rows', map_rows(el.head.rows, blocks)))
    el = with(el, 'bodies', mapped(el.bodies, function(body)
      body = with(body, 'head', map_rows(body.head, blocks))
      return with(body, 'body', map_rows(body.body, blocks))
    end))
    return with(el, 'foot', with(el.foot, 'rows', map_rows(el.foot.rows, blocks)))
  end,
}

-- ---- Walks ------------------------------------------------------------------------

local function same(x) return x end

local is_block = {}
for t in ([[Para Plain Header Div CodeBlock RawBlock BlockQuote BulletList
    OrderedList LineBlock DefinitionList Table Figure HorizontalRule
    Null]]):gmatch('%a+') do
  is_block[t] = true
end

local known_keys = {Inlines = true, Blocks = true, Pandoc = true, Meta = true,
                    traverse = true}

-- Which kinds of functions a filter has.
local function kinds(filter)
  local inline, block = false, false
  for key in pairs(filter) do
    if is_block[key] then block = true
    elseif not known_keys[key] then inline = true end
  end
  return inline, block
end

-- A list of its own, of the first n.
local function begun(items, n)
  local new = {}
  for k = 1, n do new[k] = items[k] end
  return setmetatable(new, List)
end

-- Appends to `new` what a function gave in place of an element.
local function put(new, result)
  if result.t then
    new[#new + 1] = result
  else
    for i = 1, #result do new[#new + 1] = result[i] end
  end
end

-- The list with each element's children walked, then the element itself.
local function spliced(items, filter, inlines, blocks)
  local new
  for i = 1, #items do
    local old = items[i]
    local t = old.t
    local kind, f = holds[t], filter[t]
    -- Most are words and spaces, which no filter asks for.
    if kind or f then
      local el = old
      if kind then el = map[kind](el, inlines, blocks) end
      local result = f and f(el)
      if result == nil then result = el end
      if result ~= old and not new then new = begun(items, i - 1) end
      if new then put(new, result) end
    elseif new then
      new[#new + 1] = old
    end
  end
  return new or items
end

local function children(items, inlines, blocks)
  local new
  for i = 1, #items do
    local old = items[i]
    local kind = holds[old.t]
    if kind then
      local el = map[kind](old, inlines, blocks)
      if el ~= old then
        new = new or copy(items)
        new[i] = el
      end
    end
  end
  return new or items
end

-- Only notes bring blocks into a paragraph, and few books have any.
local has_notes = false

-- Each pass as two functions: what becomes of a list of inlines, of blocks.
local function inline_pass(filter)
  local inlines, blocks
  function inlines(items) return spliced(items, filter, inlines, blocks) end
  function blocks(items) return children(items, inlines, blocks) end
  return inlines, blocks
end

local function block_pass(filter)
  local inlines, blocks = same, nil
  if has_notes then
    function inlines(items) return children(items, inlines, blocks) end
  end
  function blocks(items) return spliced(items, filter, inlines, blocks) end
  return inlines, blocks
end

local function list_pass(filter)
  local inlines, blocks
  function inlines(items)
    items = children(items, inlines, blocks)
    return filter.Inlines and filter.Inlines(items) or items
  end
  function blocks(items)
    items = children(items, inlines, blocks)
    return filter.Blocks and filter.Blocks(items) or items
  end
  if not filter.Inlines and not has_notes then inlines = same end
  return inlines, blocks
end

-- From the top: a function's second result `false` keeps the walk from going
-- into what it gave.
local function topdown_pass(filter)
  local inlines, blocks
  local function walked(items)
    local new
    for i = 1, #items do
      local old = items[i]
      local f = filter[old.t]
      local result, deeper
      if f then result, deeper = f(old) end
      if result == nil then result = old end
      if deeper ~= false then
        local all = result.t and {result} or result
        result = children(all, inlines, blocks)
        if result == all and all[1] == old and #all == 1 then result = old end
      end
      if result ~= old and not new then new = begun(items, i - 1) end
      if new then put(new, result) end
    end
    return new or items
  end
  local has_inlines, _ = kinds(filter)
  if has_inlines then inlines = walked
  elseif has_notes then
    function inlines(items) return children(items, inlines, blocks) end
  else inlines = same end
  blocks = walked
  return inlines, blocks
end

local function passes(filter)
  if filter.traverse == 'topdown' then return {topdown_pass}, filter end
  local inline, block = kinds(filter)
  local wanted = {}
  if inline then wanted[1] = inline_pass end
  if filter.Inlines then wanted[#wanted + 1] = list_pass end
  if block then wanted[#wanted + 1] = block_pass end
  if filter.Blocks and not filter.Inlines then
    wanted[#wanted + 1] = list_pass
  end
  return wanted
end

-- The element with the filter applied to all that it holds.
function methods.walk(el, filter)
  for _, pass in ipairs(passes(filter)) do
    local inlines, blocks = pass(filter)
    local kind = holds[el.t]
    if kind then el = map[kind](el, inlines, blocks) end
  end
  return el
end

local function sorted_keys(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

local map_meta

local function map_values(values, inlines, blocks)
  return mapped(values, function(value)
    return map_meta(value, inlines, blocks)
  end)
end

function map_meta(value, inlines, blocks)
  if value.t == 'MetaInlines' then
    return with(value, 'c', inlines(value.c))
  elseif value.t == 'MetaBlocks' then
    return with(value, 'c', blocks(value.c))
  elseif value.t == 'MetaList' then
    return with(value, 'c', map_values(value.c, inlines, blocks))
  elseif value.t == 'MetaMap' then
    local new
    for _, key in ipairs(sorted_keys(value.c)) do
      local changed = map_meta(value.c[key], inlines, blocks)
      if changed ~= value.c[key] then
        new = new or copy(value.c)
        new[key] = changed
      end
    end
    return new and with(value, 'c', new) or value
  end
  return value
end

local document = {}

function document.walk(doc, filter)
  for _, pass in ipairs(passes(filter)) do
    local inlines, blocks = pass(filter)
    local front = {}
    for i, entry in ipairs(doc.front) do
      front[i] = {entry[1], map_meta(entry[2], inlines, blocks)}
    end
    doc.front = front
    doc.blocks = blocks(doc.blocks)
  end
  return doc
end

-- The document after one filter of a chain.
function M.apply(filter, doc)
  doc = doc:walk(filter)
  return filter.Pandoc and filter.Pandoc(doc) or doc
end

-- ---- JSON to tables -----------------------------------------------------------------

local escapes = {n = '\n', t = '\t', r = '\r', b = '\b', f = '\f', ['"'] = '"',
                 ['\\'] = '\\', ['/'] = '/'}

local function unescaped(text)
  text = gsub(text, '\\u([dD][89abAB]%x%x)\\u([dD][c-fC-F]%x%x)',
    function(high, low)
      return utf8.char(0x10000 + ((tonumber(high, 16) & 0x3ff) << 10) +
                       (tonumber(low, 16) & 0x3ff))
    end)
  return (gsub(text, '\\(.)(%x?%x?%x?%x?)', function(kind, digits)
    if kind == 'u' then return utf8.char(tonumber(digits, 16)) end
    return escapes[kind] .. digits
  end))
end

local function text_at(json, at)
  local _, stop, text = find(json, '^"([^"\\]*)"', at)
  if stop then return text, stop + 1 end
  stop = at
  repeat
    stop = find(json, '["\\]', stop + 1)
    local is_escape = sub(json, stop, stop) == '\\'
    if is_escape then stop = stop + 1 end
  until not is_escape
  return unescaped(sub(json, at + 1, stop - 1)), stop + 1
end

local function with_attr(t, fields, given)
  fields.t = t
  fields.identifier, fields.classes = given[1], given[2]
  fields.attributes = setmetatable(given[3], Attributes)
  return setmetatable(fields, Element)
end

local function rows_of(given)
  for i, row in ipairs(given) do
    local cells = row[2]
    for k, cell in ipairs(cells) do
      cells[k] = {attr = attr(table.unpack(cell[1])), alignment = cell[2],
                  row_span = cell[3], col_span = cell[4], contents = cell[5]}
    end
    given[i] = {attr = attr(table.unpack(row[1])), cells = cells}
  end
  return given
end

local function caption_of(given)
  return {short = given[1] or nil, long = given[2]}
end

local function part_of(given)
  return {attr = attr(table.unpack(given[1])), rows = rows_of(given[2])}
end

-- Tag → element, from what JSON has for it.
local from = {
  Code = function(c) return with_attr('Code', {text = c[2]}, c[1]) end,
  CodeBlock = function(c) return with_attr('CodeBlock', {text = c[2]}, c[1]) end,
  Span = function(c) return with_attr('Span', {content = c[2]}, c[1]) end,
  Div = function(c) return with_attr('Div', {content = c[2]}, c[1]) end,
  Link = function(c)
    return with_attr('Link', {content = c[2], target = c[3][1],
                              title = c[3][2]}, c[1])
  end,
  Image = function(c)
    return with_attr('Image', {caption = c[2], src = c[3][1],
                               title = c[3][2]}, c[1])
  end,
  Header = function(c)
    return with_attr('Header', {level = c[1], content = c[3]}, c[2])
  end,
  Math = function(c) return element('Math', {mathtype = c[1], text = c[2]}) end,
  Quoted = function(c)
    return element('Quoted', {quotetype = c[1], content = c[2]})
  end,
  RawInline = function(c) return make.RawInline(c[1], c[2]) end,
  RawBlock = function(c) return make.RawBlock(c[1], c[2]) end,
  Note = function(c)
    has_notes = true
    return element('Note', {content = c})
  end,
  Cite = function(c)
    for i, one in ipairs(c[1]) do
      c[1][i] = {id = one.citationId, mode = one.citationMode,
        prefix = one.citationPrefix, suffix = one.citationSuffix,
        note_num = one.citationNoteNum, hash = one.citationHash}
    end
    return element('Cite', {citations = c[1], content = c[2]})
  end,
  OrderedList = function(c)
    return element('OrderedList', {start = c[1][1], style = c[1][2],
                                   delimiter = c[1][3], content = c[2]})
  end,
  Figure = function(c)
    return with_attr('Figure', {caption = caption_of(c[2]), content = c[3]},
                     c[1])
  end,
  Table = function(c)
    for i, body in ipairs(c[5]) do
      c[5][i] = {attr = attr(table.unpack(body[1])), row_head_columns = body[2],
                 head = rows_of(body[3]), body = rows_of(body[4])}
    end
    for _, column in ipairs(c[3]) do
      if column[2] == 'ColWidthDefault' then column[2] = nil end
    end
    return with_attr('Table', {caption = caption_of(c[2]), colspecs = c[3],
      head = part_of(c[4]), bodies = c[5], foot = part_of(c[6])}, c[1])
  end,
  ColWidth = function(c) return c end,
  Str = function(c) return element('Str', {text = c}) end,
}
for t in ([[Para Plain Emph Underline Strong Strikeout Superscript Subscript
    SmallCaps BlockQuote BulletList LineBlock DefinitionList]]):gmatch('%a+') do
  from[t] = function(c) return element(t, {content = c}) end
end
for t in ('MetaMap MetaList MetaInlines MetaBlocks MetaString MetaBool')
    :gmatch('%a+') do
  from[t] = function(c) return {t = t, c = c} end
end

local empty = {Space = space, SoftBreak = soft_break, LineBreak = line_break,
               HorizontalRule = element('HorizontalRule', {}),
               Null = element('Null', {})}

local value_at

local function array_at(json, at)
  local items, n = setmetatable({}, List), 0
  at = at + 1
  if sub(json, at, at) == ']' then return items, at + 1 end
  while true do
    n = n + 1
    items[n], at = value_at(json, at)
    if sub(json, at, at) == ']' then return items, at + 1 end
    at = at + 1
  end
end

local function object_at(json, at)
  -- Words and spaces are most of a chapter.
  local _, stop, text = find(json, '^{"t":"Str","c":"([^"\\]*)"}', at)
  if stop then
    return setmetatable({t = 'Str', text = text}, Element), stop + 1
  end
  if sub(json, at, at + 12) == '{"t":"Space"}' then return space, at + 13 end
  local fields = {}
  at = at + 1
  while sub(json, at, at) ~= '}' do
    local key
    key, at = text_at(json, sub(json, at, at) == ',' and at + 1 or at)
    fields[key], at = value_at(json, at + 1)
  end
  local t = fields.t
  if not t then return fields, at + 1 end
  local make_it = from[t]
  if make_it then return make_it(fields.c), at + 1 end
  return empty[t] or t, at + 1     -- an element, or a name: "AlignLeft"
end

function value_at(json, at)
  local first = sub(json, at, at)
  if first == '{' then return object_at(json, at) end
  if first == '[' then return array_at(json, at) end
  if first == '"' then return text_at(json, at) end
  local _, stop, number = find(json, '^(-?%d[%d.eE+-]*)', at)
  if stop then return math.tointeger(tonumber(number)) or tonumber(number),
                      stop + 1 end
  if sub(json, at, at + 3) == 'true' then return true, at + 4 end
  if sub(json, at, at + 4) == 'false' then return false, at + 5 end
  return false, at + 4             -- null
end

-- ---- Tables to JSON -----------------------------------------------------------------

local quoted_as = {['"'] = '\\"', ['\\'] = '\\\\', ['\n'] = '\\n',
                   ['\t'] = '\\t', ['\r'] = '\\r'}

local function quoted(text)
  if find(text, '[%c"\\]') then
    text = gsub(text, '[%c"\\]', function(letter)
      return quoted_as[letter] or string.format('\\u%04x', letter:byte())
    end)
  end
  return '"' .. text .. '"'
end

-- Pieces of JSON, in the order of writing.
local out, n

local function write(piece)
  n = n + 1
  out[n] = piece
end

local function write_list(items, write_one)
  write('[')
  for i = 1, #items do
    if i > 1 then write(',') end
    write_one(items[i])
  end
  write(']')
end

local function write_attr(el)
  local classes, parts = {}, {}
  for i, class in ipairs(el.classes) do classes[i] = quoted(class) end
  for key, value in pairs(attributes_of(el.attributes)) do
    parts[#parts + 1] = '[' .. quoted(key) .. ',' .. quoted(value) .. ']'
  end
  write('[' .. quoted(el.identifier) .. ',[' .. table.concat(classes, ',') ..
        '],[' .. table.concat(parts, ',') .. ']]')
end

local write_element

-- What the writer of pages makes of these, as text: where no filter asks for
-- single words any more, a run of words and spaces is one Str, so that pandoc
-- has a tenth of the elements to carry on.
local as_text = {Space = ' ', SoftBreak = '\n'}
local joins_words = false

local function run_from(items, first)
  local parts = {}
  for i = first, #items do
    local el = items[i]
    local text = el.t == 'Str' and el.text or as_text[el.t]
    if not text then break end
    parts[#parts + 1] = text
  end
  return parts
end

local function write_elements(items)
  local i = 1
  write('[')
  while i <= #items do
    if i > 1 then write(',') end
    local run = joins_words and run_from(items, i) or {}
    if #run > 0 then
      write('{"t":"Str","c":' .. quoted(table.concat(run)) .. '}')
      i = i + #run
    else
      write_element(items[i])
      i = i + 1
    end
  end
  write(']')
end

local function write_name(name) write('{"t":"' .. name .. '"}') end

local function write_row(row)
  write('[')
  write_attr(row.attr)
  write(',')
  write_list(row.cells, function(cell)
    write('[')
    write_attr(cell.attr)
    write(',')
    write_name(cell.alignment)
    write(',' .. cell.row_span .. ',' .. cell.col_span .. ',')
    write_elements(cell.contents)
    write(']')
  end)
  write(']')
end

local function write_part(part)
  write('[')
  write_attr(part.attr)
  write(',')
  write_list(part.rows, write_row)
  write(']')
end

local function write_caption(caption)
  write('[')
  if caption.short then write_elements(caption.short) else write('null') end
  write(',')
  write_elements(caption.long)
  write(']')
end

local function write_linked(el, content, target)
  write('[')
  write_attr(el)
  write(',')
  write_elements(content)
  write(',[' .. quoted(target) .. ',' .. quoted(el.title) .. ']]')
end

local function write_attr_and_content(el)
  write('[')
  write_attr(el)
  write(',')
  write_elements(el.content)
  write(']')
end

local function write_attr_and_text(el)
  write('[')
  write_attr(el)
  write(',' .. quoted(el.text) .. ']')
end

local function write_raw(el)
  write('[' .. quoted(el.format) .. ',' .. quoted(el.text) .. ']')
end

-- Drawings and long listings need no way through JSON: a word stands for each,
-- and it is put in its place afterwards.
local held = {}

local function write_raw_block(el)
  if #el.text < 400 then return write_raw(el) end
  held[#held + 1] = el.text
  write('[' .. quoted(el.format) .. ',' .. quoted('\1' .. #held) .. ']')
end

local function put_back(doc)
  if #held == 0 then return doc end
  doc = doc:walk {RawBlock = function(el)
    local number = el.text:match('^\1(%d+)$')
    return number and real.RawBlock(el.format, held[tonumber(number)])
  end}
  held = {}
  return doc
end

local function write_items(el) write_list(el.content, write_elements) end

local to = {
  Str = function(el) write(quoted(el.text)) end,
  Code = write_attr_and_text, CodeBlock = write_attr_and_text,
  RawInline = write_raw, RawBlock = write_raw_block,
  Span = write_attr_and_content, Div = write_attr_and_content,
  Link = function(el) write_linked(el, el.content, el.target) end,
  Image = function(el) write_linked(el, el.caption, el.src) end,
  Header = function(el)
    write('[' .. math.tointeger(el.level) .. ',')
    write_attr(el)
    write(',')
    write_elements(el.content)
    write(']')
  end,
  Math = function(el)
    write('[{"t":"' .. el.mathtype .. '"},' .. quoted(el.text) .. ']')
  end,
  Quoted = function(el)
    write('[{"t":"' .. el.quotetype .. '"},')
    write_elements(el.content)
    write(']')
  end,
  Cite = function(el)
    write('[')
    write_list(el.citations, function(citation)
      write('{"citationId":' .. quoted(citation.id) .. ',"citationPrefix":')
      -- citeproc looks for chapters and pages here, word by word.
      write_list(citation.prefix, write_element)
      write(',"citationSuffix":')
      write_list(citation.suffix, write_element)
      write(',"citationMode":{"t":"' .. citation.mode ..
            '"},"citationNoteNum":' .. citation.note_num ..
            ',"citationHash":' .. citation.hash .. '}')
    end)
    write(',')
    write_elements(el.content)
    write(']')
  end,
  BulletList = write_items, LineBlock = write_items,
  OrderedList = function(el)
    write('[[' .. el.start .. ',{"t":"' .. el.style .. '"},{"t":"' ..
          el.delimiter .. '"}],')
    write_items(el)
    write(']')
  end,
  DefinitionList = function(el)
    write_list(el.content, function(item)
      write('[')
      write_elements(item[1])
      write(',')
      write_list(item[2], write_elements)
      write(']')
    end)
  end,
  Figure = function(el)
    write('[')
    write_attr(el)
    write(',')
    write_caption(el.caption)
    write(',')
    write_elements(el.content)
    write(']')
  end,
  Table = function(el)
    write('[')
    write_attr(el)
    write(',')
    write_caption(el.caption)
    write(',')
    write_list(el.colspecs, function(column)
      write('[{"t":"' .. column[1] .. '"},' .. (column[2] and
            '{"t":"ColWidth","c":' .. string.format('%.17g', column[2]) .. '}'
            or '{"t":"ColWidthDefault"}') .. ']')
    end)
    write(',')
    write_part(el.head)
    write(',')
    write_list(el.bodies, function(body)
      write('[')
      write_attr(body.attr)
      write(',' .. body.row_head_columns .. ',')
      write_list(body.head, write_row)
      write(',')
      write_list(body.body, write_row)
      write(']')
    end)
    write(',')
    write_part(el.foot)
    write(']')
  end,
}

function write_element(el)
  local t = el.t
  local write_it = to[t]
  if write_it then
    write('{"t":"' .. t .. '","c":')
    write_it(el)
    write('}')
  elseif el.content then            -- Para, Emph …, Note: what they hold
    write('{"t":"' .. t .. '","c":')
    write_elements(el.content)
    write('}')
  else
    write('{"t":"' .. t .. '"}')
  end
end

local function write_meta(value)
  local t, c = value.t, value.c
  if t == 'MetaBool' then
    return write('{"t":"MetaBool","c":' .. tostring(c) .. '}')
  end
  write('{"t":"' .. t .. '","c":')
  if t == 'MetaString' then
    write(quoted(c))
  elseif t == 'MetaList' then
    write_list(c, write_meta)
  elseif t == 'MetaMap' then
    write('{')
    for i, key in ipairs(sorted_keys(c)) do
      write((i > 1 and ',' or '') .. quoted(key) .. ':')
      write_meta(c[key])
    end
    write('}')
  else
    write_elements(c)
  end
  write('}')
end

-- ---- The whole document, there and back ----------------------------------------------

local version

local function new_document(front, blocks, meta)
  return setmetatable({t = 'Pandoc', front = front, blocks = list(blocks),
                       meta = meta}, {__index = document})
end

function make.Pandoc(blocks) return new_document({}, blocks) end

-- pandoc's document as tables. `front` is the front matter for walks; `meta`
-- is pandoc's own, to be read.
function M.read(doc)
  local json = real.write(doc, 'json')
  local fields = value_at(json, 1)
  version = fields['pandoc-api-version']
  local front = {}
  for i, key in ipairs(sorted_keys(fields.meta)) do
    front[i] = {key, fields.meta[key]}
  end
  return new_document(front, fields.blocks, doc.meta)
end

local function json_of(front, blocks)
  out, n = {}, 0
  write('{"pandoc-api-version":[' .. table.concat(version, ',') ..
        '],"meta":{')
  for i, entry in ipairs(front) do
    if i > 1 then write(',') end
    write(quoted(entry[1]) .. ':')
    write_meta(entry[2])
  end
  write('},"blocks":')
  write_elements(blocks)
  write('}')
  return table.concat(out)
end

-- `is_last`: nothing will ask the document for its words.
function M.write(doc, is_last)
  joins_words = is_last
  local json = json_of(doc.front, doc.blocks)
  joins_words = false
  return put_back(real.read(json, 'json'))
end

-- Blocks by way of pandoc: what f makes of them there.
local function by_pandoc(blocks, f)
  local there = put_back(real.read(json_of({}, blocks), 'json'))
  return M.read(real.Pandoc(f(there.blocks))).blocks
end

-- ---- pandoc.utils ---------------------------------------------------------------------

local words, words_of_blocks

local text_of = {
  Space = function() return ' ' end,
  Code = function(el) return el.text end,
  Math = function(el) return el.text end,
  Quoted = function(el)
    local double = el.quotetype == 'DoubleQuote'
    return (double and '“' or '‘') .. words(el.content) ..
           (double and '”' or '’')
  end,
  RawInline = function(el)
    return el.format == 'html' and el.text:match('^<br') and ' ' or ''
  end,
  Image = function(el) return words(el.caption) end,
  Note = function() return '' end,
}
text_of.SoftBreak, text_of.LineBreak = text_of.Space, text_of.Space

function words(items)
  local parts = {}
  for i = 1, #items do
    local el = items[i]
    local t = el.t
    if t == 'Str' then
      parts[i] = el.text
    elseif el == space then
      parts[i] = ' '
    else
      local f = text_of[t]
      parts[i] = f and f(el) or el.content and words(el.content) or ''
    end
  end
  return table.concat(parts)
end

local function words_of_block(block)
  local parts = {}
  local kind = holds[block.t]
  if not kind then return '' end
  map[kind](block, function(items)
    parts[#parts + 1] = words(items)
    return items
  end, function(items)
    parts[#parts + 1] = words_of_blocks(items)
    return items
  end)
  return table.concat(parts)
end

function words_of_blocks(blocks)
  local parts = {}
  for i, block in ipairs(blocks) do parts[i] = words_of_block(block) end
  return table.concat(parts)
end

local function stringify(given)
  if type(given) ~= 'table' then
    return real.utils.stringify(given)
  end
  if given.t == nil then
    if given[1] == nil then return '' end
    if given[1].t == nil then return real.utils.stringify(given) end
    return is_block[given[1].t] and words_of_blocks(given) or words(given)
  end
  return is_block[given.t] and words_of_block(given) or words {given}
end

local function blocks_to_inlines(blocks)
  local found, simple = list {}, true
  for i, block in ipairs(blocks) do
    if block.t ~= 'Para' and block.t ~= 'Plain' then simple = false end
    if i > 1 then found:insert(line_break) end
    if simple then found:extend(block.content) end
  end
  if simple then return found end
  return by_pandoc(blocks, function(there)
    return {real.Plain(real.utils.blocks_to_inlines(there))}
  end)[1].content
end

local function simple_cell(blocks)
  return {attr = attr(), alignment = 'AlignDefault', row_span = 1,
          col_span = 1, contents = list(blocks)}
end

local function simple_row(cells)
  local row = list {}
  for i, blocks in ipairs(cells) do row[i] = simple_cell(blocks) end
  return {attr = attr(), cells = row}
end

local function caption_blocks(inlines)
  return list(#inlines > 0 and {make.Plain(inlines)} or {})
end

-- A simple table that came from a table goes back by way of pandoc, which
-- knows about cells that span several columns.
local function from_simple_table(simple)
  if simple.of then
    local made = by_pandoc({simple.of}, function(there)
      local t = real.utils.to_simple_table(there[1])
      t.caption = {}
      return {real.utils.from_simple_table(t)}
    end)[1]
    made.caption = {long = caption_blocks(simple.caption)}
    return made
  end
  local columns, rows = list {}, list {}
  for i, align in ipairs(simple.aligns) do
    local width = simple.widths[i]
    columns[i] = {align, width ~= 0 and width or nil}
  end
  for i, row in ipairs(simple.rows) do rows[i] = simple_row(row) end
  return element('Table', {
    caption = {long = caption_blocks(simple.caption)}, colspecs = columns,
    head = {attr = attr(), rows = list {simple_row(simple.headers)}},
    bodies = list {{attr = attr(), row_head_columns = 0, head = list {},
                    body = rows}},
    foot = {attr = attr(), rows = list {}},
  }, attr())
end

-- ---- In pandoc's place -------------------------------------------------------------------

-- Filters that are loaded from now on find these functions under pandoc's
-- names, and pandoc's own for all else.
function M.install()
  local utils = setmetatable({
    stringify = stringify, blocks_to_inlines = blocks_to_inlines,
    from_simple_table = from_simple_table,
    to_simple_table = function(el) return {of = el, caption = {}} end,
  }, {__index = real.utils})
  make.utils = utils
  make.read = function(...) return M.read(real.read(...)) end
  make.write = function(doc, ...) return real.write(M.write(doc), ...) end
  make.walk_block = methods.walk
  pandoc = setmetatable(make, {__index = real})
end

return M
