-- The entries of the printed index: words of the glossary where a chapter
-- speaks of them, and CUDA's names. latex/build has makeindex sort them.
--
-- A word is listed in the chapters that link it to the glossary: at that
-- place, where a heading has it, and in every section that uses it. A word
-- that more sections use is the chapter's daily bread: of that, only the
-- first two.

local escape = require 'escape'
local stringify = pandoc.utils.stringify
local most_sections = 4

-- In makeindex's eyes `!`, `@`, `|` and `"` are signs.
local function quoted(text) return (text:gsub('[!@|"]', '"%0')) end

-- how: hyperpage, or warpbold where the word is explained.
local function entry(key, shown, how)
  return pandoc.RawInline('latex', string.format('\\warpindex{%s@%s}{%s}',
    quoted(key), quoted(shown), how))
end

-- cudaMalloc, __shfl_sync, cudaErrorAssert: without arguments.
local function name_in(code)
  return code:match('^(cuda%u[%w]+)') or code:match('^(__%l[%w_]+)')
end

local function name_entry(name)
  -- Long ones may be cut between their words.
  local shown = escape.latex(name):gsub('(%l)(%u)', '%1\\allowbreak{}%2')
                             :gsub('_(%l)', '_\\allowbreak{}%1')
  return entry(name:gsub('^_+', ''):lower(), '\\texttt{' .. shown .. '}',
               'hyperpage')
end

local function term_entry(term, how)
  return entry(term.key, escape.latex(term.title), how)
end

-- ---- The words --------------------------------------------------------------

-- Longer ones first: a bank conflict is no bank.
local function read_terms(path)
  local terms = {}
  for line in io.lines(path) do
    local id, title = line:match('^(term:[^\t]*)\t[^\t]*\t([^\t]*)')
    if id then
      local words = title:lower():gsub('%W', '%%%0')
      terms[#terms + 1] = {id = id, title = title,
        key = id:sub(6):gsub('%-', ' '),
        pattern = '%f[%w]' .. words .. 'e?s?%f[^%w]'}
    end
  end
  table.sort(terms, function(a, b)
    if #a.title ~= #b.title then return #a.title > #b.title end
    return a.title < b.title
  end)
  return terms
end

-- The words that the chapter links to the glossary, as a set.
local function linked_terms(doc)
  local linked = {}
  doc:walk{Link = function(link)
    local id = link.target:match('^#(term:.*)$') or
               link.target:match(':(term:.*)$')
    if id then linked[id] = true end
  end}
  return linked
end

-- What a reader reads of it; code is not prose.
local function prose(inline)
  if inline.t == 'Code' or inline.t == 'Math' or inline.t == 'RawInline' then
    return ' '
  end
  if inline.content == nil or inline.t == 'Note' then
    return stringify(inline)
  end
  local parts = {}
  for i, inner in ipairs(inline.content) do parts[i] = prose(inner) end
  return table.concat(parts)
end

-- Calls found(term) for every word in the text.
local function find_terms(terms, text, found)
  text = text:lower()
  for _, term in ipairs(terms) do
    local first, last = text:find(term.pattern)
    while first do
      text = text:sub(1, first - 1) .. (' '):rep(last - first + 1) ..
             text:sub(last + 1)
      found(term, first)
      first, last = text:find(term.pattern, last)
    end
  end
end

-- ---- The walk -----------------------------------------------------------------

local own_frame = {'listing', 'output', 'figure', 'result-table', 'table'}

local function is_framed(div)
  for _, class in ipairs(own_frame) do
    if div.classes:includes(class) then return true end
  end
  return false
end

-- The document with what visit(inlines, section, heading) makes of every
-- paragraph, in their order; heading is the text of the headings just above.
local function each_paragraph(doc, visit)
  local section, heading = 0, ''
  local function leave(block) return block, false end
  local function paragraph(block)
    block.content = visit(block.content, section, heading) or block.content
    heading = ''
    return block, false
  end
  return doc:walk {
    traverse = 'topdown',
    Header = function(block)
      if block.level <= 2 then section = section + 1 end
      heading = heading .. ' ' .. prose(block)
      return block, false
    end,
    Para = paragraph, Plain = paragraph,
    Table = leave, DefinitionList = leave,
    Div = function(div) if is_framed(div) then return div, false end end,
  }
end

-- Where each top-level inline begins in the paragraph's text.
local function text_of(inlines)
  local parts, starts, length = {}, {}, 0
  for i, inline in ipairs(inlines) do
    parts[i] = prose(inline)
    starts[i] = length + 1
    length = length + #parts[i]
  end
  return table.concat(parts), starts
end

local function element_at(starts, place)
  local at = 1
  for i, start in ipairs(starts) do
    if start <= place then at = i end
  end
  return at
end

-- term id → how many sections use it.
local function count_sections(doc, terms)
  local counts, last = {}, {}
  each_paragraph(doc, function(inlines, section)
    find_terms(terms, (text_of(inlines)), function(term)
      if last[term.id] ~= section then
        counts[term.id] = (counts[term.id] or 0) + 1
      end
      last[term.id] = section
    end)
  end)
  return counts
end

local function chapter(doc, terms)
  local linked = linked_terms(doc)
  local ours = pandoc.List(terms):filter(function(term)
    return linked[term.id]
  end)
  local counts = count_sections(doc, terms)
  local said, n_said = {}, {}     -- once in a section
  local function fresh(section, key)
    local place = section .. ' ' .. key
    if said[place] then return false end
    said[place] = true
    n_said[key] = (n_said[key] or 0) + 1
    return true
  end
  return each_paragraph(doc, function(inlines, section, heading)
    local text, starts = text_of(inlines)
    local marks = {}              -- index of the inline → entries after it
    local function mark(at, made)
      marks[at] = marks[at] or pandoc.List()
      marks[at]:insert(made)
    end
    find_terms(ours, heading, function(term)
      if fresh(section, term.id) then mark(1, term_entry(term, 'hyperpage')) end
    end)
    find_terms(terms, text, function(term, place)
      if not linked[term.id] then return end
      local few = (counts[term.id] or 0) <= most_sections
      if (few or (n_said[term.id] or 0) < 2) and fresh(section, term.id) then
        mark(element_at(starts, place), term_entry(term, 'hyperpage'))
      end
    end)
    for i, inline in ipairs(inlines) do
      pandoc.walk_inline(pandoc.Span{inline}, {Code = function(code)
        local name = name_in(code.text)
        if name and fresh(section, name) then mark(i, name_entry(name)) end
      end})
    end
    local list = pandoc.List()
    for i, inline in ipairs(inlines) do
      list:insert(inline)
      if marks[i] then list:extend(marks[i]) end
    end
    return list
  end)
end

-- Where the glossary explains a word, the page's number is bold.
local function glossary(doc, terms)
  local by_id = {}
  for _, term in ipairs(terms) do by_id[term.id] = term end
  return doc:walk{DefinitionList = function(list)
    for _, item in ipairs(list.content) do
      local id
      pandoc.walk_inline(pandoc.Span(item[1]), {Span = function(span)
        if by_id[span.identifier] then id = span.identifier end
      end})
      local first = item[2][1] and item[2][1][1]
      if id and first and (first.t == 'Para' or first.t == 'Plain') then
        first.content:insert(1, term_entry(by_id[id], 'warpbold'))
      end
    end
    return list
  end}
end

-- The document with its entries; labels: the index of all labels.
return function(doc, labels)
  local terms = read_terms(labels)
  if stringify(doc.meta.slug or '') == 'glossary' then
    return glossary(doc, terms)
  end
  return chapter(doc, terms)
end
