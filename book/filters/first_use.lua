-- The first use of each of the glossary's words in a chapter leads there, also
-- where its author marked none: `a.term.first`. Links of a chapter's first uses
-- have the id use-<term>, for the index of terms.
--
-- Print has the marked ones only, and an index of its own.

local settings = require 'settings'
local labels = require 'labels'

local stringify = pandoc.utils.stringify

-- Words that mean something else as often: they are linked where marked.
local everyday = {}
for name in ([[context event fence guard module shuffle spread transfer vote
    word]]):gmatch('%S+') do
  everyday['term:' .. name] = true
end

-- A term of several words is looked for word by word; the last may have an s.
local function words_of(title)
  local words = {}
  for word in title:lower():gmatch('%S+') do words[#words + 1] = word end
  return words
end

local function wanted_terms()
  local list = {}
  for id, entry in pairs(labels.index) do
    if entry.kind == 'term' and entry.title ~= '' then
      list[#list + 1] = {id = id, entry = entry, marked_only = everyday[id],
                         title = entry.title:lower(),
                         words = words_of(entry.title)}
    end
  end
  -- "bank conflict" before "bank", "shared memory" before "memory".
  table.sort(list, function(a, b)
    if #a.title ~= #b.title then return #a.title > #b.title end
    return a.id < b.id
  end)
  return list
end

-- ---- One paragraph ----------------------------------------------------------

-- What stands before, in and behind a word in a Str: "(warps)," of "warp".
local function parts(text, word, is_first, is_last)
  local low = text:lower()
  local from, to = low:find(word, 1, true)
  if not from then return nil end
  local before, after = text:sub(1, from - 1), text:sub(to + 1)
  if is_first then
    if not before:match('^[%(“‘"]*$') and
       not before:gsub('“', ''):gsub('‘', ''):match('^[%("]*$') then
      return nil
    end
  elseif before ~= '' then
    return nil
  end
  if not is_last then return before, after == '' and '' or nil end
  local plural = after:match('^e?s') or ''
  if plural == 'e' then plural = '' end
  local tail = after:sub(#plural + 1)
  local bare = tail:gsub('’s?', ''):gsub('”', ''):gsub('…', '')
  if not bare:match("^[%.,;:!%?%)']*$") then return nil end
  return before, plural, tail
end

-- In "software device" the device is none of its own: word → neighbours that
-- make another term of it.
local before_it, after_it = {}, {}

local function learn_neighbours(terms)
  for _, term in ipairs(terms) do
    for k = 2, #term.words do
      local one, two = term.words[k - 1], term.words[k]
      before_it[two] = before_it[two] or {}
      before_it[two][one] = true
      after_it[one] = after_it[one] or {}
      after_it[one][two] = true
    end
  end
end

local function is_word(el, set)
  if not set or not el or el.t ~= 'Str' then return false end
  local word = el.text:lower():match('^[%w%-]+') or ''
  return set[word] or set[word:match('^(.*)s$') or '']
end

local function is_part_of_another(inlines, first, last, words)
  return is_word(inlines[first - 2], before_it[words[1]]) or
         is_word(inlines[last + 2], after_it[words[#words]])
end

local function is_gap(el)
  return el and (el.t == 'Space' or el.t == 'SoftBreak')
end

-- Where the term's words stand in these inlines, from i on.
local function match_at(inlines, i, words)
  local at, before, plural, tail = i, nil, nil, nil
  for k, word in ipairs(words) do
    local el = inlines[at]
    if not el or el.t ~= 'Str' then return nil end
    local b, p, t = parts(el.text, word, k == 1, k == #words)
    if not b or not p then return nil end
    if k == 1 then before = b end
    if k == #words then
      plural, tail = p, t
    else
      if not is_gap(inlines[at + 1]) then return nil end
      at = at + 2
    end
  end
  return at, before, plural, tail
end

local holders = {Span = true, Emph = true, Strong = true, Quoted = true}

-- The inlines with a link at the term's first use, or nil.
local function link_in(inlines, term)
  for i, el in ipairs(inlines) do
    local kind = el.t
    if kind == 'Str' then
      local last, before, plural, tail = match_at(inlines, i, term.words)
      if last and not is_part_of_another(inlines, i, last, term.words) then
        local text = pandoc.List()
        for k = i, last do text:insert(inlines[k]) end
        text[1] = pandoc.Str(text[1].text:sub(#before + 1))
        local final = text[#text].text
        text[#text] = pandoc.Str(final:sub(1, #final - #tail))
        local made = pandoc.List()
        for k = 1, i - 1 do made:insert(inlines[k]) end
        if before ~= '' then made:insert(pandoc.Str(before)) end
        made:insert(pandoc.Link(text, labels.href(term.entry), '',
          pandoc.Attr('use-' .. term.id:sub(6), {'term', 'first'})))
        if tail ~= '' then made:insert(pandoc.Str(tail)) end
        for k = last + 1, #inlines do made:insert(inlines[k]) end
        return made
      end
    elseif holders[kind] and not el.classes or
           holders[kind] and not el.classes:includes('equation') then
      local inner = link_in(el.content, term)
      if inner then
        el.content = inner
        inlines[i] = el
        return inlines
      end
    end
  end
end

-- ---- The chapter ------------------------------------------------------------

local function has(text, title)
  local from = text:find(title, 1, true)
  while from do
    if not text:sub(from - 1, from - 1):match('[%w_%-]') or from == 1 then
      return true
    end
    from = text:find(title, from + 1, true)
  end
end

-- Links that the author marked, in these inlines: target → true.
local function marked_in(block)
  local found = {}
  block:walk {Link = function(link)
    if link.classes:includes('term') then found[link.target] = true end
  end}
  return found
end

local function paragraph(block, terms)
  local text = stringify(block):lower():gsub('%s+', ' ')
  local content, marked
  local left = {}
  for _, term in ipairs(terms) do
    local done = false
    if has(text, term.title) then
      marked = marked or marked_in(block)
      local href = labels.href(term.entry)
      if marked[href] then
        content = content or block.content
        term.here = true
        done = true
      elseif not term.marked_only then
        content = content or block.content
        local linked = link_in(content, term)
        if linked then content, done = linked, true end
      end
    end
    if not done then left[#left + 1] = term end
  end
  if content then
    block.content = content
    return block, left
  end
  return nil, left
end

-- The author's own links get the id that the index of terms leads to.
local function name_marked(doc, names)
  local named = {}
  return doc:walk {Link = function(link)
    local id = names[link.target]
    if id and not named[id] and link.classes:includes('term') then
      named[id] = true
      link.identifier = id
      return link
    end
  end}
end

local skipped = {'caption', 'figure', 'listing', 'output', 'result-table',
                 'table', 'provenance'}

local function first_uses(doc)
  if settings.latex or labels.own['term:' .. settings.slug] or
     settings.slug == 'glossary' then
    return nil
  end
  local terms = wanted_terms()
  if #terms == 0 then return nil end
  learn_neighbours(terms)
  local all = terms
  local function text(block)
    local changed
    changed, terms = paragraph(block, terms)
    return changed
  end
  doc = doc:walk {
    traverse = 'topdown',
    Div = function(div)
      for _, class in ipairs(skipped) do
        if div.classes:includes(class) then return div, false end
      end
    end,
    Table = function(table_) return table_, false end,
    Para = text, Plain = text,
  }
  local names, any = {}, false
  for _, term in ipairs(all) do
    if term.here then
      names[labels.href(term.entry)] = 'use-' .. term.id:sub(6)
      any = true
    end
  end
  if any then return name_marked(doc, names) end
  return doc
end

return {{Pandoc = first_uses}}
