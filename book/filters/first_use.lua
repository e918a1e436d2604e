-- The first use of each of the glossary's words in a chapter leads there, also
-- where its author marked none: `a.term.first`. Links of a chapter's first uses
-- have the id use-<term>, for the index of terms.
--
-- Print has the marked ones only, and an index of its own.

local settings = require 'settings'
local labels = require 'labels'
local words = require 'words'

local stringify = pandoc.utils.stringify

-- Words that mean something else as often: they are linked where marked.
local everyday = words.set [[context event fence guard module shuffle spread
  transfer vote word]]

local function wanted_terms()
  local list = {}
  for _, id in ipairs(labels.of_kind('term')) do
    local entry = labels.index[id]
    local title = entry.title:lower()
    if title ~= '' then
      list[#list + 1] = {id = id, href = labels.href(entry), title = title,
                         marked_only = everyday[id:sub(6)],
                         words = words.list(title)}
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

-- In "software device" the device is none of its own: pairs of words that are
-- in one term.
local pairs_of_terms = {}

local function learn_pairs(terms)
  for _, term in ipairs(terms) do
    for k = 2, #term.words do
      pairs_of_terms[term.words[k - 1] .. ' ' .. term.words[k]] = true
    end
  end
end

-- The word in a Str without its punctuation, and the same without an s.
local function word_in(el)
  local word = el and el.t == 'Str' and el.text:lower():match('^[%w%-]+') or ''
  return word, (word:gsub('s$', ''))
end

local function is_part_of_another(inlines, first, last, words_)
  local before, one = word_in(inlines[first - 2])
  local after, other = word_in(inlines[last + 2])
  local mine, my_last = ' ' .. words_[1], words_[#words_] .. ' '
  return pairs_of_terms[before .. mine] or pairs_of_terms[one .. mine] or
         pairs_of_terms[my_last .. after] or pairs_of_terms[my_last .. other]
end

local function is_gap(el)
  return el and (el.t == 'Space' or el.t == 'SoftBreak')
end

-- Where the term's words end that begin with inline i, and what comes before
-- and after them: "(" and ")," in "(warps),". The last may have an s.
local function match_at(inlines, i, words_)
  local at, before, tail = i, nil, ''
  for k, word in ipairs(words_) do
    if k > 1 and not is_gap(inlines[at - 1]) then return nil end
    local el = inlines[at]
    if not el or el.t ~= 'Str' or tail ~= '' then return nil end
    local from, to = el.text:lower():find(word, 1, true)
    if not from or k > 1 and from > 1 then return nil end
    before, tail = before or el.text:sub(1, from - 1), el.text:sub(to + 1)
    at = at + 2
  end
  tail = tail:gsub('^e?s', '', 1)
  local bare = tail:gsub('’s?', ''):gsub('”', ''):gsub('…', '')
  if before:match('^[%(“‘"]*$') and bare:match("^[%.,;:!%?%)']*$") then
    return at - 2, before, tail
  end
end

local holders = words.set [[Span Emph Strong Quoted]]

-- The inlines with a link at the term's first use, or nil.
local function link_in(inlines, term)
  for i, el in ipairs(inlines) do
    if el.t == 'Str' then
      local last, before, tail = match_at(inlines, i, term.words)
      if last and not is_part_of_another(inlines, i, last, term.words) then
        local text = table.move(inlines, i, last, 1, pandoc.List())
        text[1] = pandoc.Str(text[1].text:sub(#before + 1))
        text[#text] = pandoc.Str(text[#text].text:sub(1, -#tail - 1))
        local made = table.move(inlines, 1, i - 1, 1, pandoc.List())
        if before ~= '' then made:insert(pandoc.Str(before)) end
        made:insert(pandoc.Link(text, term.href, '',
          pandoc.Attr('use-' .. term.id:sub(6), {'term', 'first'})))
        if tail ~= '' then made:insert(pandoc.Str(tail)) end
        return table.move(inlines, last + 1, #inlines, #made + 1, made)
      end
    elseif holders[el.t] and
           not (el.classes and el.classes:includes('equation')) then
      local inner = link_in(el.content, term)
      if inner then
        el.content = inner
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

-- Links the terms in a block that are there; gives those that are not.
local function paragraph(block, terms)
  local text = stringify(block):lower():gsub('%s+', ' ')
  local marked, left = nil, {}
  for _, term in ipairs(terms) do
    local linked
    if has(text, term.title) then
      marked = marked or marked_in(block)
      term.here = marked[term.href]
      linked = not term.here and not term.marked_only and
               link_in(block.content, term)
      block.content = linked or block.content
    end
    if not linked and not term.here then left[#left + 1] = term end
  end
  return left
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
  local all = wanted_terms()
  if #all == 0 then return nil end
  learn_pairs(all)
  local terms = all
  local function text(block) terms = paragraph(block, terms) end
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
  local names = {}
  for _, term in ipairs(all) do
    if term.here then names[term.href] = 'use-' .. term.id:sub(6) end
  end
  return next(names) and name_marked(doc, names) or doc
end

return {{Pandoc = first_uses}}
