-- `@fig:name` and the like, `[term]{.term}`, links within the book, and
-- citations: whatever points somewhere must arrive.

local settings = require 'settings'
local diagnostics = require 'diagnostics'
local dependencies = require 'dependencies'
local labels = require 'labels'
local suggest = require 'suggest'

-- ---- References ---------------------------------------------------------

local function link(citation)
  local id = citation.id
  local entry = labels.find(id, '@' .. id)
  if not entry then return pandoc.Str(id) end
  local text = labels.name(entry)
  if citation.mode == 'SuppressAuthor' then text = entry.number end
  return pandoc.Link(text, labels.href(entry), '',
                     {class = 'ref ref-' .. entry.kind})
end

-- "[see @fig:a; @fig:b]" → see Figure 1.1 and Figure 1.2
local function references(citations)
  local list = pandoc.List()
  for i, citation in ipairs(citations) do
    if i > 1 then
      list:insert(pandoc.Str(i == #citations and ' and ' or ', '))
    end
    if #citation.prefix > 0 then
      list:extend(citation.prefix)
      list:insert(pandoc.Space())
    end
    list:insert(link(citation))
    list:extend(citation.suffix)
  end
  return list
end

local cited = pandoc.List()

local function cite(el)
  local ours = 0
  for _, citation in ipairs(el.citations) do
    if labels.kinds[labels.kind_of(citation.id) or ''] then
      ours = ours + 1
    else
      cited:insert(citation.id)
    end
  end
  if ours == 0 then return nil end
  if ours < #el.citations then
    diagnostics.error('@' .. el.citations[1].id,
                      'references and citations in one bracket',
                      'write two brackets')
    return nil
  end
  return references(el.citations)
end

-- ---- Citations ----------------------------------------------------------

-- The cited entries as citeproc wants them in a document's front matter, and
-- which keys they have. They are cut out of the bibliography, whose entries
-- begin and end with a line of their own: reading all of it, once for the check
-- and once more for citeproc, takes a fifteenth of a page's time.
local function entries(bibliography)
  local wanted, known, found = {}, {}, {}
  for _, id in ipairs(cited) do wanted[id] = true end
  local file = #cited > 0 and io.open(bibliography)
  if file then
    for entry in file:read('a'):gmatch('\n  {\n.-\n  }') do
      local id = entry:match('"id": "([^"]*)"')
      if wanted[id] then
        known[id] = true
        found[#found + 1] = entry
      end
    end
    file:close()
  end
  local text = '[' .. table.concat(found, ',') .. ']'
  return pandoc.read(text, 'csljson').meta.references, known
end

local function check_citations(doc)
  local bibliography = pandoc.utils.stringify(doc.meta.bibliography or '')
  local references, known = entries(bibliography)
  doc.references = references
  for _, id in ipairs(cited) do
    if not known[id] then
      local prefix = labels.kind_of(id)
      diagnostics.error('@' .. id,
        string.format("nothing is known of '@%s'", id),
        prefix and
        suggest.among(prefix, suggest.keys(labels.kinds),
                      'kinds of labels are:') or
        'add it to book/bibliography.json, or correct the key')
    end
  end
end

-- ---- Terms --------------------------------------------------------------

local linked = {}

-- The glossary's entry by its label, or by what it is called there.
local function glossary(text)
  local id = 'term:' .. text:lower():gsub('[%s_]+', '-')
  if labels.index[id] then return labels.index[id] end
  for _, entry in pairs(labels.index) do
    if entry.kind == 'term' and entry.title:lower() == text:lower() then
      return entry
    end
  end
end

local function term(el, in_heading)
  local text = el.attributes.of or pandoc.utils.stringify(el.content)
  local entry = glossary(text)
  if not entry then
    local names = {}
    for i, id in ipairs(labels.of_kind('term')) do names[i] = id:sub(6) end
    diagnostics.error({'[' .. pandoc.utils.stringify(el.content) .. ']{.term',
                       pandoc.utils.stringify(el.content)},
      string.format("the glossary has no term '%s'", text),
      suggest.among(text, names, 'it has:') ..
      '\nadd it to the glossary, or write of="…"')
    return el.content
  end
  if in_heading or linked[entry.id] then return el.content end
  linked[entry.id] = true
  return pandoc.Link(el.content, labels.href(entry), '', {class = 'term'})
end

-- ---- Equations ----------------------------------------------------------

local function equation(el)
  local entry = labels.own[el.identifier]
  local math = el.content[1]
  if #el.content ~= 1 or math.t ~= 'Math' or math.mathtype ~= 'DisplayMath' then
    diagnostics.error('#' .. el.identifier,
                      "'" .. el.identifier .. "' is no display formula",
                      'write $$…$$ {#eq:name}')
    return nil
  end
  if not entry then return nil end
  if settings.latex then
    math.text = math.text .. ' \\tag{' .. entry.number .. '}'
    return {pandoc.RawInline('latex', '\\bookanchor{' .. el.identifier .. '}'),
            math}
  end
  if not el.classes:includes('equation') then el.classes:insert('equation') end
  el.content = {math, pandoc.Span('(' .. entry.number .. ')',
                                  {class = 'equation-number'})}
  return el
end

-- ---- Links and images ---------------------------------------------------

local function check_fragment(target)
  local id = target:sub(2)
  if labels.ids()[id] then return end
  diagnostics.error('(' .. target .. ')',
                    string.format("no '%s' in this chapter", target),
                    suggest.among(id, suggest.keys(labels.ids()), 'it has:'))
end

local function check_file(target)
  local slug = target:match('^([%w_%-]+)%.html$')
  if slug and (labels.slugs[slug] or slug == 'index') then return end
  local data = target:match('^data/(.+)$')
  if data and dependencies.is_there(settings.root .. '/bench/' .. data) then
    return
  end
  local remedy = 'link to a chapter by @chp:slug, to a place by its label ' ..
                 '(@sec:name …),\nto a result file by data/<slug>/<file>.csv'
  diagnostics.error({'(' .. target .. ')', target},
                    string.format("nothing lies at '%s'", target), remedy)
end

-- On paper there are no pages beside this one: a chapter is a place in it.
local function on_paper(el)
  local slug = el.target:match('^([%w_%-]+)%.html$')
  if slug and labels.index['chp:' .. slug] then
    el.target = '#chp:' .. slug
    return el
  end
  return el.content
end

local own = {'ref', 'term', 'result', 'source', 'callout'}

local function check_link(el)
  for _, class in ipairs(own) do
    if el.classes:includes(class) then return nil end
  end
  local target = el.target
  if target:match('^%a[%w+.-]*:') then return nil end
  if target == '' then
    diagnostics.error(pandoc.utils.stringify(el.content), 'a link to nowhere',
                      'write its target')
  elseif target:sub(1, 1) ~= '#' then
    check_file(target)
    if settings.latex then return on_paper(el) end
  else
    check_fragment(target)
    local id = target:sub(2)
    if settings.latex and not labels.own[id] then
      el.target = '#' .. settings.slug .. ':' .. id
      return el
    end
  end
end

local function check_image(el)
  diagnostics.error({'![' .. pandoc.utils.stringify(el.caption) .. '](' ..
                     el.src, '(' .. el.src, el.src},
    string.format("an image from '%s'", el.src),
    'a figure stands alone in its paragraph: ' ..
    '![Caption.](figures/<slug>/<name>.gp){#fig:name alt="…"}')
end

-- All chapters make one LaTeX document: ids of its own get the slug.
local function own_id(el)
  local id = el.identifier
  if settings.latex and id ~= '' and not labels.own[id] then
    el.identifier = settings.slug .. ':' .. id
    return el
  end
end

-- ---- The filter ---------------------------------------------------------

local function span(el)
  if el.classes:includes('term') then return term(el, false) end
  if labels.kind_of(el.identifier) == 'eq' then return equation(el) end
  return own_id(el)
end

local function header(el)
  el = el:walk {Span = function(inner)
    if inner.classes:includes('term') then return term(inner, true) end
  end}
  return own_id(el) or el
end

return {
  {Header = header},
  {Cite = cite, Span = span, Link = check_link, Image = check_image,
   Div = own_id, CodeBlock = own_id},
  {Pandoc = function(doc) check_citations(doc) end},
}
