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

-- ---- Lists, with the methods of pandoc.List that filters use ----------------

-- Not pandoc's: filters that used 2.17's lists in these tables crashed now and
-- then, with Lua's memory overwritten.

local List = {}
List.__index = List
List.insert, List.remove = table.insert, table.remove

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

-- ---- Attributes -------------------------------------------------------------

-- A list of pairs that can be asked by name, as pandoc's.
local Attributes = {}

local function index_of(pairs_, key)
  for i = 1, #pairs_ do
    if pairs_[i][1] == key then return i end
  end
end

function Attributes.__index(pairs_, key)
  local i = type(key) == 'string' and index_of(pairs_, key)
  return i and pairs_[i][2] or nil
end

function Attributes.__newindex(pairs_, key, value)
  local i = type(key) == 'string' and index_of(pairs_, key)
  if i and value == nil then
    table.remove(pairs_, i)
  elseif i then
    pairs_[i] = {key, value}
  elseif type(key) ~= 'string' then
    rawset(pairs_, key, value)
  elseif value ~= nil then
    rawset(pairs_, #pairs_ + 1, {key, value})
  end
end

function Attributes.__pairs(pairs_)
  local i = 0
  return function()
    i = i + 1
    local pair = rawget(pairs_, i)
    if pair then return pair[1], pair[2] end
  end
end

local function sorted_keys(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

local function attributes_of(t)
  if getmetatable(t) == Attributes then return t end
  local found = {}
  for i, pair in ipairs(t) do found[i] = {pair[1], pair[2]} end
  if #t == 0 then
    for i, key in ipairs(sorted_keys(t)) do found[i] = {key, t[key]} end
  end
  return setmetatable(found, Attributes)
end

local function list(t)
  if getmetatable(t) == nil then setmetatable(t, List) end
  return t
end

local function attr(identifier, classes, attributes)
  return {identifier = identifier or '', classes = list(classes or {}),
          attributes = attributes_of(attributes or {})}
end

-- What a constructor was given for an Attr: one, nothing, or {id = …, class =
-- "a b", key = …}.
local function to_attr(given)
  if given == nil then return attr() end
  if given.identifier then return given end
  local rest, classes = {}, {}
  for key, value in pairs(given) do
    if key ~= 'id' and key ~= 'class' then rest[key] = value end
  end
  for class in (given.class or ''):gmatch('%S+') do
    classes[#classes + 1] = class
  end
  return attr(given.id, classes, rest)
end

-- ---- Constructors, with pandoc's names --------------------------------------

local methods = {}
local Element = {__index = methods}

local function element(t, fields)
  fields.t = t
  return setmetatable(fields, Element)
end

-- What has no content is there once.
local constants = {}
for t in ('Space SoftBreak LineBreak HorizontalRule Null'):gmatch('%a+') do
  constants[t] = element(t, {})
end
local space = constants.Space

-- A list of elements out of a list, an element or a text.
local function contents(given)
  if type(given) == 'string' then
    return list {element('Str', {text = given})}
  end
  if given.t then return list {given} end
  return list(given)
end

local make = {
  Attr = attr,
  List = function(given) return setmetatable(given or {}, List) end,
  Space = function() return space end,
  Citation = function(id, mode)
    return {id = id, mode = mode, prefix = list {}, suffix = list {},
            note_num = 0, hash = 0}
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

-- The fields that the others take, in this order.
for t, fields in ([[Str(text) Code(text attr) CodeBlock(text attr)
    RawInline(format text) RawBlock(format text) Emph(content) Strong(content)
    Superscript(content) Span(content attr) Link(content target title attr)
    Cite(content citations) Para(content) Plain(content) Div(content attr)
    Header(level content attr) BulletList(content)]]):gmatch('(%a+)(%b())') do
  local names = {}
  for name in fields:gmatch('%a+') do names[#names + 1] = name end
  make[t] = function(...)
    local el = {}
    for i, name in ipairs(names) do
      local given = select(i, ...)
      if name == 'attr' then
        for key, value in pairs(to_attr(given)) do el[key] = value end
      else
        el[name] = name == 'content' and contents(given) or given or ''
      end
    end
    return element(t, el)
  end
end

-- ---- JSON, the writing of it ------------------------------------------------

local quoted_as = {['"'] = '\\"', ['\\'] = '\\\\', ['\n'] = '\\n',
                   ['\t'] = '\\t', ['\r'] = '\\r'}

local function quoted(text)
  if text:find('[%c"\\]') then
    text = text:gsub('[%c"\\]', function(letter)
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

local shapes

local function write_element(el)
  local shape = shapes[el.t]
  write('{"t":"' .. el.t .. '"')
  if shape then
    write(',"c":')
    shape.write(el)
  end
  write('}')
end

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
  if not joins_words then return write_list(items, write_element) end
  local i = 1
  write('[')
  while i <= #items do
    if i > 1 then write(',') end
    local run = run_from(items, i)
    if #run > 0 then
      write('{"t":"Str","c":' .. quoted(table.concat(run)) .. '}')
    else
      write_element(items[i])
    end
    i = i + math.max(1, #run)
  end
  write(']')
end

-- Drawings and long listings need no way through JSON: a word stands for each,
-- and it is put in its place afterwards.
local held = {}

local function write_long(text)
  if #text < 400 then return write(quoted(text)) end
  held[#held + 1] = text
  write(quoted('\1' .. #held))
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

-- ---- What elements consist of -----------------------------------------------

-- A kind of value knows three things: `read(value, into)` makes a table's value
-- of what JSON has, `write` the reverse, and `map` puts what `inlines` and
-- `blocks` give in place of the lists of elements that the value holds. Where
-- nothing changes, `map` gives the value itself.

local function copy(t)
  local new = {}
  for key, value in next, t do new[key] = value end
  return setmetatable(new, getmetatable(t))
end

-- The table with another value of the field; the same if it is none.
local function with(t, field, value)
  if t[field] == value then return t end
  t = copy(t)
  t[field] = value
  return t
end

local function same(value) return value end

local text = {read = same, write = function(value) write(quoted(value)) end}
local number = {read = same, write = function(value)
  write(string.format('%.17g', value))
end}
local tag = {read = same, write = function(name)
  write('{"t":"' .. name .. '"}')
end}
local attributes = {
  read = function(given) return setmetatable(given, Attributes) end,
  write = function(t)
    local pairs_ = {}
    for key, value in pairs(attributes_of(t)) do
      pairs_[#pairs_ + 1] = '[' .. quoted(key) .. ',' .. quoted(value) .. ']'
    end
    write('[' .. table.concat(pairs_, ',') .. ']')
  end,
}
local inlines = {read = same, write = write_elements,
                 map = function(items, of_inlines) return of_inlines(items) end}
local blocks = {read = same, write = write_elements,
                map = function(items, _, of_blocks) return of_blocks(items) end}
-- citeproc looks for chapters and pages here, word by word.
local single_words = {read = same, map = inlines.map,
  write = function(items) write_list(items, write_element) end}

local function list_of(kind)
  local function read(items)
    for i = 1, #items do items[i] = kind.read(items[i]) end
    return items
  end
  local function map(items, ...)
    local new
    for i = 1, #items do
      local item = kind.map(items[i], ...)
      if item ~= items[i] then
        new = new or copy(items)
        new[i] = item
      end
    end
    return new or items
  end
  return {read = kind.read == same and same or read,
          write = function(items) write_list(items, kind.write) end,
          map = kind.map and map}
end

-- A table with one field, for which JSON has just the value.
local function only(name, kind)
  return {
    read = function(value, into) into[name] = kind.read(value) end,
    write = function(t) kind.write(t[name]) end,
    map = kind.map and function(t, ...)
      return with(t, name, kind.map(t[name], ...))
    end,
  }
end

-- A table with these fields, {name, kind}, for which JSON has an array, or an
-- object where they are {name, kind, key}. A kind without a name is a tuple
-- whose fields are the table's own.
local function tuple(fields)
  local open, close, holding = '[', ']', {}
  for i, field in ipairs(fields) do
    if field.read then fields[i] = {nil, field} end
    if field[3] then open, close = '{', '}' end
    if field[1] and field[2].map then holding[#holding + 1] = field end
  end
  local function read(values, into)
    into = into or {}
    for i = 1, #fields do
      local name, kind, key = table.unpack(fields[i], 1, 3)
      local value = kind.read(values[key or i], not name and into or nil)
      if name then into[name] = value end
    end
    return into
  end
  local function write_fields(t)
    write(open)
    for i = 1, #fields do
      local name, kind, key = table.unpack(fields[i], 1, 3)
      if i > 1 then write(',') end
      if key then write('"' .. key .. '":') end
      if name then kind.write(t[name]) else kind.write(t) end
    end
    write(close)
  end
  local function map(t, ...)
    for _, field in ipairs(holding) do
      t = with(t, field[1], field[2].map(t[field[1]], ...))
    end
    return t
  end
  return {read = read, write = write_fields, map = #holding > 0 and map or nil}
end

-- Of an element its own; of a row, a cell or the like in a field `attr`.
local attr_kind = tuple {{'identifier', text}, {'classes', list_of(text)},
                         {'attributes', attributes}}

-- What may be missing.
local short = {
  read = function(items) return items or nil end,
  write = function(items)
    if items then write_elements(items) else write('null') end
  end,
  map = function(items, ...) return items and inlines.map(items, ...) end,
}
local width = {
  read = function(value) return value ~= 'ColWidthDefault' and value or nil end,
  write = function(value)
    if not value then return tag.write('ColWidthDefault') end
    write('{"t":"ColWidth","c":')
    number.write(value)
    write('}')
  end,
}

local caption = tuple {{'short', short}, {'long', blocks}}
local row = tuple {{'attr', attr_kind}, {'cells', list_of(tuple {
  {'attr', attr_kind}, {'alignment', tag}, {'row_span', number},
  {'col_span', number}, {'contents', blocks}})}}
local part = tuple {{'attr', attr_kind}, {'rows', list_of(row)}}
local body = tuple {{'attr', attr_kind}, {'row_head_columns', number},
                    {'head', list_of(row)}, {'body', list_of(row)}}
local citation = tuple {
  {'id', text, 'citationId'}, {'prefix', single_words, 'citationPrefix'},
  {'suffix', single_words, 'citationSuffix'}, {'mode', tag, 'citationMode'},
  {'note_num', number, 'citationNoteNum'}, {'hash', number, 'citationHash'},
}

local code = tuple {attr_kind, {'text', text}}
local content = {inlines = only('content', inlines),
                 blocks = only('content', blocks),
                 items = only('content', list_of(blocks))}

shapes = {
  Str = only('text', text), Code = code, CodeBlock = code,
  RawInline = tuple {{'format', text}, {'text', text}},
  RawBlock = tuple {{'format', text}, {'text', {read = same,
                                                write = write_long}}},
  Math = tuple {{'mathtype', tag}, {'text', text}},
  Quoted = tuple {{'quotetype', tag}, {'content', inlines}},
  Cite = tuple {{'citations', list_of(citation)}, {'content', inlines}},
  Link = tuple {attr_kind, {'content', inlines},
                tuple {{'target', text}, {'title', text}}},
  Image = tuple {attr_kind, {'caption', inlines},
                 tuple {{'src', text}, {'title', text}}},
  Span = tuple {attr_kind, {'content', inlines}},
  Note = content.blocks, BlockQuote = content.blocks,
  Header = tuple {{'level', number}, attr_kind, {'content', inlines}},
  Div = tuple {attr_kind, {'content', blocks}},
  BulletList = content.items,
  OrderedList = tuple {
    tuple {{'start', number}, {'style', tag}, {'delimiter', tag}},
    {'content', list_of(blocks)}},
  LineBlock = only('content', list_of(inlines)),
  DefinitionList = only('content', list_of(tuple {{1, inlines},
                                                  {2, list_of(blocks)}})),
  Figure = tuple {attr_kind, {'caption', caption}, {'content', blocks}},
  Table = tuple {attr_kind, {'caption', caption},
    {'colspecs', list_of(tuple {{1, tag}, {2, width}})},
    {'head', part}, {'bodies', list_of(body)}, {'foot', part}},
  MetaInlines = only('c', inlines), MetaBlocks = only('c', blocks),
  MetaString = only('c', text),
  MetaBool = only('c', {read = same, write = function(value)
    write(tostring(value))
  end}),
}
for t in ([[Para Plain Emph Underline Strong Strikeout Superscript Subscript
    SmallCaps]]):gmatch('%a+') do
  shapes[t] = content.inlines
end

-- A value of the front matter, and a table of such by name.
local meta_value = {read = same, write = write_element,
                    map = function(value, ...)
  local map = shapes[value.t].map
  return map and map(value, ...) or value
end}
local meta_values = {
  read = same,
  write = function(values)
    write('{')
    for i, key in ipairs(sorted_keys(values)) do
      write((i > 1 and ',' or '') .. quoted(key) .. ':')
      write_element(values[key])
    end
    write('}')
  end,
  map = function(values, ...)
    for _, key in ipairs(sorted_keys(values)) do
      values = with(values, key, meta_value.map(values[key], ...))
    end
    return values
  end,
}
shapes.MetaList = only('c', list_of(meta_value))
shapes.MetaMap = only('c', meta_values)

-- The whole: `front` is the front matter for walks.
shapes.Pandoc = tuple {{'version', list_of(number), 'pandoc-api-version'},
                       {'front', meta_values, 'meta'},
                       {'blocks', blocks, 'blocks'}}

-- Type → its `map`, where it holds anything.
local maps = {}
for t, shape in pairs(shapes) do maps[t] = shape.map end

-- ---- JSON, the reading of it ------------------------------------------------

-- Only notes bring blocks into a paragraph, and few books have any.
local has_notes = false

local escapes = {n = '\n', t = '\t', r = '\r', b = '\b', f = '\f'}

local function unescaped(text)
  text = text:gsub('\\u([dD][89abAB]%x%x)\\u([dD][c-fC-F]%x%x)',
    function(high, low)
      return utf8.char(0x10000 + ((tonumber(high, 16) & 0x3ff) << 10) +
                       (tonumber(low, 16) & 0x3ff))
    end)
  return (text:gsub('\\(.)(%x?%x?%x?%x?)', function(kind, digits)
    if kind == 'u' then return utf8.char(tonumber(digits, 16)) end
    return (escapes[kind] or kind) .. digits
  end))
end

-- An element of {"t": …, "c": …}. What is no element is a name ("AlignLeft"), a
-- width, or, without a type, a citation or the like.
local function from_object(fields)
  local t, c = fields.t, fields.c
  if not t then return fields end
  local shape = shapes[t]
  if not shape then return c or constants[t] or t end
  if t == 'Note' then has_notes = true end
  local el = element(t, {})
  shape.read(c, el)
  return el
end

local function json_grammar()
  local P, V, Cc, Ct = lpeg.P, lpeg.V, lpeg.Cc, lpeg.Ct
  local letter = 1 - lpeg.S '"\\'
  local text = '"' * (lpeg.C(letter ^ 0) * '"' +
                      (letter + P '\\' * 1) ^ 0 / unescaped * '"')
  local pair = lpeg.Cg(text * ':' * V 'value')
  local number = (lpeg.R '09' + lpeg.S '-+.eE') ^ 1 / tonumber
  -- Words and spaces are most of a chapter.
  local word = '{"t":"Str","c":' * text * '}' / make.Str
  local gap = '{"t":"Space"}' * Cc(space)
  local function items(item) return (item * (',' * item) ^ 0) ^ -1 end
  return P {
    'value',
    value = word + gap + V 'object' + V 'array' + text + number +
            'true' * Cc(true) + (P 'false' + 'null') * Cc(false),
    object = '{' * lpeg.Cf(Ct '' * items(pair), rawset) * '}' / from_object,
    array = '[' * Ct(items(V 'value')) * ']' / list,
  }
end

local json_value

-- ---- Walks ------------------------------------------------------------------

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

-- The element with what it holds walked.
local function inside(el, of_inlines, of_blocks)
  local map = maps[el.t]
  return map and map(el, of_inlines, of_blocks) or el
end

-- The list with one(item, the filter's function for it, …) in place of each:
-- nil for the item itself, an element, or a list of some.
local function replaced(items, one, filter, of_inlines, of_blocks)
  local new
  for i = 1, #items do
    local old, result = items[i], nil
    local f = filter[old.t]
    -- Most are words and spaces, which no filter asks for.
    if f or maps[old.t] then result = one(old, f, of_inlines, of_blocks) end
    if result == nil then result = old end
    if result ~= old and not new then
      new = table.move(items, 1, i - 1, 1, list {})
    end
    if new and result.t then
      new[#new + 1] = result
    elseif new then
      table.move(result, 1, #result, #new + 1, new)
    end
  end
  return new or items
end

-- Each element after what it holds.
local function upwards(filter)
  local function one(el, f, of_inlines, of_blocks)
    local map = maps[el.t]
    if map then el = map(el, of_inlines, of_blocks) end
    local result = f and f(el)
    if result == nil then return el end
    return result
  end
  return function(items, of_inlines, of_blocks)
    return replaced(items, one, filter, of_inlines, of_blocks)
  end
end

local children = upwards {}

-- From the top: a function's second result `false` keeps the walk from going
-- into what it gave.
local function downwards(filter)
  local function one(el, f, ...)
    local result, deeper = el, nil
    if f then result, deeper = f(el) end
    if result == nil then result = el end
    if deeper == false then return result end
    return (result.t and inside or children)(result, ...)
  end
  return function(items, ...) return replaced(items, one, filter, ...) end
end

-- Whole lists, after what they hold.
local function of_list(f)
  return function(items, ...)
    items = children(items, ...)
    return f and f(items) or items
  end
end

-- The element with one pass over what it holds, in which lists of inlines and
-- of blocks become what these two give; nil: only what is in them changes.
local function passed(el, for_inlines, for_blocks)
  local of_inlines, of_blocks
  function of_inlines(items)
    -- Without notes there is nothing in them for blocks.
    if not for_inlines and not has_notes then return items end
    return (for_inlines or children)(items, of_inlines, of_blocks)
  end
  function of_blocks(items)
    return (for_blocks or children)(items, of_inlines, of_blocks)
  end
  return inside(el, of_inlines, of_blocks)
end

-- The element with the filter applied to all that it holds.
function methods.walk(el, filter)
  local inline, block = kinds(filter)
  if filter.traverse == 'topdown' then
    local down = downwards(filter)
    return passed(el, inline and down, down)
  end
  if inline then el = passed(el, upwards(filter)) end
  if filter.Inlines then
    el = passed(el, of_list(filter.Inlines), of_list(filter.Blocks))
  end
  if block then el = passed(el, nil, upwards(filter)) end
  if filter.Blocks and not filter.Inlines then
    el = passed(el, nil, of_list(filter.Blocks))
  end
  return el
end

-- The document after one filter of a chain.
function M.apply(filter, doc)
  doc = doc:walk(filter)
  return filter.Pandoc and filter.Pandoc(doc) or doc
end

-- ---- The whole document, there and back -------------------------------------

local version

function make.Pandoc(blocks)
  return element('Pandoc', {version = version, front = {},
                            blocks = list(blocks)})
end

-- pandoc's document as tables; `meta` is pandoc's own, to be read.
function M.read(doc)
  json_value = json_value or json_grammar()
  local read = element('Pandoc', {meta = doc.meta})
  shapes.Pandoc.read(json_value:match(real.write(doc, 'json')), read)
  version = read.version
  return read
end

-- `is_last`: nothing will ask the document for its words.
function M.write(doc, is_last)
  out, n, joins_words = {}, 0, is_last
  shapes.Pandoc.write(doc)
  joins_words = false
  return put_back(real.read(table.concat(out), 'json'))
end

-- ---- pandoc.utils -----------------------------------------------------------

local words

-- Inlines whose text is more or less than that of what they hold.
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
  Cite = function(el) return words(el.content) end,
  Note = function() return '' end,
}
text_of.SoftBreak, text_of.LineBreak = text_of.Space, text_of.Space

local function words_in(el)
  local parts = {}
  local function add(items)
    parts[#parts + 1] = words(items)
    return items
  end
  inside(el, add, add)
  return table.concat(parts)
end

function words(items)
  local parts = {}
  for i = 1, #items do
    local el = items[i]
    if el.t == 'Str' then
      parts[i] = el.text
    else
      parts[i] = (text_of[el.t] or words_in)(el)
    end
  end
  return table.concat(parts)
end

local function stringify(given)
  if type(given) ~= 'table' then return real.utils.stringify(given) end
  if given.t then return words {given} end
  if given[1] and not given[1].t then return real.utils.stringify(given) end
  return words(given)
end

local function blocks_to_inlines(blocks)
  local found = list {}
  for i, block in ipairs(blocks) do
    if block.t ~= 'Para' and block.t ~= 'Plain' then
      local there = M.write(make.Pandoc(blocks)).blocks
      local plain = real.Plain(real.utils.blocks_to_inlines(there))
      return M.read(real.Pandoc {plain}).blocks[1].content
    end
    if i > 1 then found:insert(constants.LineBreak) end
    found:extend(block.content)
  end
  return found
end

local function simple_row(cells)
  local row = list {}
  for i, blocks in ipairs(cells) do
    row[i] = {attr = attr(), alignment = 'AlignDefault', row_span = 1,
              col_span = 1, contents = list(blocks)}
  end
  return {attr = attr(), cells = row}
end

local function from_simple_table(simple)
  local columns, rows = list {}, list {}
  for i, align in ipairs(simple.aligns) do
    local width = simple.widths[i]
    columns[i] = {align, width ~= 0 and width or nil}
  end
  for i, row in ipairs(simple.rows) do rows[i] = simple_row(row) end
  local caption_ = simple.caption
  return element('Table', {
    identifier = '', classes = list {}, attributes = attributes_of {},
    caption = {long = list(#caption_ > 0 and {make.Plain(caption_)} or {})},
    colspecs = columns,
    head = {attr = attr(), rows = list {simple_row(simple.headers)}},
    bodies = list {{attr = attr(), row_head_columns = 0, head = list {},
                    body = rows}},
    foot = {attr = attr(), rows = list {}},
  })
end

-- ---- In pandoc's place ------------------------------------------------------

-- Filters that are loaded from now on find these functions under pandoc's
-- names, and pandoc's own for all else.
function M.install()
  local utils = setmetatable({
    stringify = stringify, blocks_to_inlines = blocks_to_inlines,
    from_simple_table = from_simple_table,
  }, {__index = real.utils})
  make.utils = utils
  make.read = function(...) return M.read(real.read(...)) end
  make.write = function(doc, ...) return real.write(M.write(doc), ...) end
  make.walk_block = methods.walk
  pandoc = setmetatable(make, {__index = real})
end

return M
