-- A document as sentences: where each begins, its words, and what stands in
-- it: results, claims, citations, marks.  `lib/suspicion.lua` judges them.
--
-- A sentence is a table:
--   text      as one reads it, code and formulas included
--   words     the same as a list, what is no prose replaced by M.object;
--             words within a claim have `covered`: true, or 'arithmetic' if
--             it is about numbers alone
--   result, claim, citation   true if it holds (or is within) one
--   question, task            it asks; it is in an exercise or its solution
--   meaning   it says what a word means, in a definition list
--   heading   it is a heading, or a line of the front matter
--   file      path of a results file named in it, in backquotes
--   line      where it begins, once it is asked for

local labels = require 'labels'
local set = require('words').set

local M = {}

M.object = '\u{FFFC}'

local abbreviations = set [[e.g. i.e. cf. vs. approx. resp. Fig. No. p. pp.
  al.]]

-- What holds inside of an element with these classes.
local function within(context, el)
  local inner = setmetatable({}, {__index = context})
  if el.classes:includes('checked') then inner.claim = 'arithmetic' end
  if el.classes:includes('claim') then inner.claim = true end
  if el.classes:includes('exercise') then inner.task = true end
  return inner
end

-- ---- Inlines to pieces ---------------------------------------------------

local add_inlines, add_blocks

local function piece(list, context, text, word, more)
  local entry = more or {}
  entry.text, entry.word = text, word
  entry.claim = context.claim
  list[#list + 1] = entry
  return entry
end

local function quote(list, context, el)
  local double = el.quotetype == 'DoubleQuote'
  piece(list, context, double and '“' or '‘', '"')
  add_inlines(list, el.content, context)
  piece(list, context, double and '”' or '’', '"')
end

local function cite(list, context, el)
  local own = true
  for _, citation in ipairs(el.citations) do
    own = own and labels.kinds[labels.kind_of(citation.id) or '']
  end
  piece(list, context, pandoc.utils.stringify(el.content), M.object,
        {citation = not own})
end

local function code(list, context, el)
  piece(list, context, el.text, M.object,
        {result = el.classes:includes('result'),
         file = el.text:match('^bench/%S+$') or el.text:match('^tests/%S+$')})
end

-- A bare number stays one in dollars.
local function math(list, context, el)
  local number = el.text:match('^%d[%d%.]*$')
  piece(list, context, el.text, number or M.object)
end

local make = {
  Code = code, Math = math, Cite = cite, Quoted = quote,
  RawInline = function() end,
  Note = function(list, context, el)
    add_blocks(context.all, el.content, context)
  end,
  Image = function(list, context, el)
    add_inlines(list, el.caption, context)
  end,
  Span = function(list, context, el)
    -- The number of a marked line names it and counts nothing.
    if el.classes:includes('callout') then
      piece(list, context, pandoc.utils.stringify(el.content), M.object)
      return
    end
    add_inlines(list, el.content, within(context, el))
  end,
}
make.LineBreak = function(list, context) piece(list, context, ' ', ' ') end

-- Words and spaces are most of a chapter: all spaces of a list are one piece.
function add_inlines(list, inlines, context)
  local claim = context.claim
  local gap
  for _, el in ipairs(inlines) do
    local kind = el.t
    if kind == 'Space' or kind == 'SoftBreak' then
      gap = gap or {text = ' ', word = ' ', claim = claim}
      list[#list + 1] = gap
    elseif kind == 'Str' then
      local text = el.text
      list[#list + 1] = {text = text, word = text, claim = claim}
    elseif make[kind] then
      make[kind](list, context, el)
    else
      add_inlines(list, el.content, context)   -- Emph, Strong, Link …
    end
  end
end

-- ---- Pieces to sentences -------------------------------------------------

-- Bytes that a sentence ends in: . ? ! " ) ] and the last one of ’ and ”.
local last_bytes = {[46] = true, [63] = true, [33] = true, [34] = true,
                    [41] = true, [93] = true, [0x99] = true, [0x9D] = true}

local function ends(list, i)
  local before = list[i].text
  if not last_bytes[before:byte(-1)] then return false end
  local close = i
  while list[close + 1] and list[close + 1].word == '"' do
    close = close + 1
  end
  if list[close + 1] and list[close + 1].word ~= ' ' then return false end
  if not before:match('[%.%?!]["%)%]’”]*$') or abbreviations[before] then
    return false
  end
  local after = list[close + 2]
  return not after or not after.word:match('^%l')
end

local function words_of(pieces)
  local words, open = {}, nil
  for _, entry in ipairs(pieces) do
    if entry.word == ' ' then
      open = nil
    elseif open and words[open].covered == entry.claim then
      words[open].text = words[open].text .. entry.word
    else
      words[#words + 1] = {text = entry.word,
                           covered = entry.claim}
      open = #words
    end
  end
  return words
end

-- The longest run of plain words at the beginning: to find the line by.
local function beginning(pieces)
  local best, run = {}, {}
  for _, entry in ipairs(pieces) do
    if entry.word ~= ' ' then
      if entry.word == entry.text and entry.text:match('^[%w,;:]+$') then
        run[#run + 1] = entry.text
        if #run > #best then best = run end
        if #run == 5 then break end
      else
        run = {}
      end
    end
  end
  return table.concat(best, ' ')
end

local function sentence_of(pieces, context)
  local sentence = {task = context.task, manual = context.manual,
                    heading = context.heading, meaning = context.meaning,
                    pieces = pieces}
  local texts = {}
  for i, entry in ipairs(pieces) do
    texts[i] = entry.text
    if entry.result then sentence.result = true end
    if entry.claim == true then sentence.claim = true end
    if entry.citation then sentence.citation = true end
    if entry.file then sentence.file = entry.file end
  end
  sentence.text = table.concat(texts):gsub('%s+', ' '):match('^%s*(.-)%s*$')
  sentence.question = sentence.text:match('%?["%)%]’”]*$') ~= nil
  return sentence
end

local function add_paragraph(all, el, context)
  local list, first = {}, 1
  add_inlines(list, el.content, context)
  for i = 1, #list do
    if i == #list or ends(list, i) then
      local pieces = table.move(list, first, i, 1, {})
      local sentence = sentence_of(pieces, context)
      if sentence.text:match('%w') then all[#all + 1] = sentence end
      first = i + 1
    end
  end
end

-- ---- Blocks --------------------------------------------------------------

local function add_rows(all, rows, context)
  for _, row in ipairs(rows) do
    for _, cell in ipairs(row.cells) do
      add_blocks(all, cell.contents, context)
    end
  end
end

local function add_table(all, el, context)
  add_rows(all, el.head.rows, context)
  for _, body in ipairs(el.bodies) do
    add_rows(all, body.head, context)
    add_rows(all, body.body, context)
  end
  add_rows(all, el.foot.rows, context)
  add_blocks(all, el.caption.long, context)
end

local function add_items(all, el, context)
  for _, item in ipairs(el.content) do add_blocks(all, item, context) end
end

local build = {
  Para = add_paragraph,
  Header = function(all, el, context)
    add_paragraph(all, el, setmetatable({heading = true}, {__index = context}))
  end,
  BulletList = add_items, OrderedList = add_items, LineBlock = function() end,
  DefinitionList = function(all, el, context)
    local inner = setmetatable({meaning = true}, {__index = context})
    for _, item in ipairs(el.content) do
      for _, blocks in ipairs(item[2]) do add_blocks(all, blocks, inner) end
    end
  end,
  BlockQuote = function(all, el, context)
    add_blocks(all, el.content, context)
  end,
  Div = function(all, el, context)
    if el.classes:includes('include') then return end   -- see include.lua
    add_blocks(all, el.content, within(context, el))
  end,
  Table = add_table,
  Figure = function(all, el, context)
    add_blocks(all, el.caption.long, context)
  end,
}
build.Plain = build.Para

function add_blocks(all, blocks, context)
  for _, el in ipairs(blocks) do
    local add = build[el.t]
    if add then add(all, el, context) end
  end
end

-- ---- Lines ---------------------------------------------------------------

-- Sentences come in the order of the text, so each search goes on where the
-- one before ended.  A few words may occur again much later: they are only
-- looked for nearby.
local function locator(text)
  local from, line, near = 1, 1, 4000
  return function(words)
    if words == '' then return line end
    local wanted = '%f[%w]' .. words:gsub('%s+', '%%s+')
    local first = text:find(wanted, from)
    local _, spaces = words:gsub('%s', '')
    if not first or first - from > near and spaces < 2 then return line end
    local _, count = text:sub(from, first):gsub('\n', '\n')
    from, line = first + 1, line + count
    return line
  end
end

-- Lines are for complaints, and most chapters give no reason for one: they
-- are looked for, all together, when the first is asked for.
local function with_lines(all, text)
  local function locate_all()
    local locate = locator(text:gsub('\r\n', '\n'))
    for _, sentence in ipairs(all) do
      sentence.line = locate(beginning(sentence.pieces))
    end
  end
  local lazy = {__index = function(sentence, key)
    if key == 'words' then
      sentence.words = words_of(sentence.pieces)
    elseif key == 'line' then
      locate_all()
    end
    return rawget(sentence, key)
  end}
  for _, sentence in ipairs(all) do setmetatable(sentence, lazy) end
  return all
end

-- Lines of the front matter, each as a heading.
local function add_front(all, front, context)
  for _, line in ipairs(front) do
    local inlines = {}
    for word in line:gmatch('%S+') do
      if #inlines > 0 then inlines[#inlines + 1] = pandoc.Space() end
      inlines[#inlines + 1] = pandoc.Str(word)
    end
    build.Header(all, {content = inlines}, context)
  end
end

-- All sentences of `blocks`, which were read from `text`, and before them those
-- of `front`, lines of the front matter (or nil).
function M.of(blocks, text, manual, front)
  local all = {}
  local context = {all = all, manual = manual}
  add_front(all, front or {}, context)
  add_blocks(all, blocks, context)
  return with_lines(all, text)
end

return M
