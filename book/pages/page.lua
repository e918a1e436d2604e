-- The frame of an HTML page: contents, neighbours, and what narrow screens,
-- keyboards and screen readers need around wide blocks. Runs after citeproc, as
-- the last -L. Of a chapter, chapter.lua has done the blocks before, and this
-- does the frame.

local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
package.path = here .. '/?.lua;' .. here .. '/../filters/lib/?.lua;' ..
               package.path

local code = require 'code'
local read_repository = require 'repository'
local escape = require('escape').html
local rows = require('fill').rows
local stringify = pandoc.utils.stringify

-- chapters/NN-slug.md, or a page like the bibliography?
local is_chapter

-- ---- The order of the book (book/tools/outline.py writes it) -----------

-- Pages before the first chapter, in no part, and after the last one.
local front = {{'', 'start', '', 'Get started'}}
local appendices = {
  {'', 'measured', 'Appendices', 'How these numbers were made'},
  {'', 'machines', 'Appendices', 'Machines'},
  {'', 'teaching', 'Appendices', 'Teaching with this book'},
  {'', 'bibliography', 'Appendices', 'Bibliography'},
  {'', 'lists', 'Appendices', 'Listings, figures and tables'},
  {'', 'terms', 'Appendices', 'Index of terms'},
}

local function read_outline(path)
  local chapters = table.move(front, 1, #front, 1, {})
  for _, more in ipairs{rows(path), appendices} do
    table.move(more, 1, #more, #chapters + 1, chapters)
  end
  for i, cells in ipairs(chapters) do
    chapters[i] = {number = cells[1], slug = cells[2], part = cells[3],
                   title = cells[4], href = cells[2] .. '.html'}
  end
  return chapters
end

-- ---- Contents -------------------------------------------------------------

local function section_list(doc)
  local lines = {}
  doc:walk{Header = function(header)
    if header.level == 2 and header.identifier ~= '' and
       not header.classes:includes('unlisted') then
      lines[#lines + 1] = string.format('<li><a href="#%s">%s</a></li>',
        escape(header.identifier), escape(stringify(header.content)))
    end
  end}
  if #lines == 0 then return '' end
  return '\n<ul>\n' .. table.concat(lines, '\n') .. '\n</ul>\n'
end

local function contents_entry(chapter, slug, sections_)
  local here = chapter.slug == slug
  return string.format(
    '<li><a href="%s"%s><span class="number">%s</span> %s</a>%s</li>',
    chapter.href, here and ' aria-current="page"' or '',
    escape(chapter.number), escape(chapter.title),
    here and sections_ or '')
end

-- The parts of the book; of a chapter's page only its own is unfolded, and the
-- first one of a page that is in none.
local function contents(chapters, slug, sections_)
  local lines, own_part, part = {}, nil, nil
  for _, chapter in ipairs(chapters) do
    if chapter.slug == slug then own_part = chapter.part end
  end
  if own_part == '' then own_part = nil end
  for _, chapter in ipairs(chapters) do
    if chapter.part ~= part then
      if part then
        lines[#lines + 1] = part == '' and '</ol>' or '</ol>\n</details>'
      end
      part = chapter.part
      if part ~= '' then own_part = own_part or part end
      lines[#lines + 1] = part == '' and '<ol class="front">' or string.format(
        '<details%s>\n<summary>%s</summary>\n<ol>',
        own_part == part and ' open' or '', escape(part))
    end
    lines[#lines + 1] = contents_entry(chapter, slug, sections_)
  end
  return table.concat(lines, '\n') .. '\n</ol>\n</details>'
end

local function neighbour(chapter)
  if not chapter then return nil end
  return {href = chapter.href, title = chapter.title,
          number = chapter.number ~= '' and chapter.number or nil}
end

local function set_frame(meta, chapters, sections_)
  local slug = meta.slug and stringify(meta.slug) or ''
  local n_numbered = 0
  for _, chapter in ipairs(chapters) do
    if tonumber(chapter.number) then n_numbered = n_numbered + 1 end
  end
  meta.navigation = pandoc.MetaBlocks{
    pandoc.RawBlock('html', contents(chapters, slug, sections_))}
  for i, chapter in ipairs(chapters) do
    if chapter.slug == slug then
      meta.number = chapter.number ~= '' and chapter.number or nil
      meta.part = chapter.part
      meta.previous = neighbour(chapters[i - 1] or
                                {href = 'index.html', title = 'Contents'})
      meta.next = neighbour(chapters[i + 1])
      local number = tonumber(chapter.number)
      local length = meta.reading and stringify(meta.reading)
      if length then
        meta.reading = number and number .. ' of ' .. n_numbered .. ' · ' ..
                       length or length
      end
      meta.lane = tostring(number and (number - 1) % 32 or 31)
    end
  end
  if meta.index then meta.next = neighbour(chapters[1]) end
  -- Without the file that names it, as in tests of single filters, there is none.
  local named = meta['book-repository']
  local repository = named and read_repository(stringify(named)) or {}
  local file = PANDOC_STATE.input_files[1]:match('([^/]+)$')
  local source = (is_chapter and 'chapters/' or 'book/pages/') .. file
  if is_chapter then meta.source = source end
  -- As HTML: text would not be quoted for an attribute.
  local function address(text)
    return text and pandoc.MetaInlines{
      pandoc.RawInline('html', escape(text))} or nil
  end
  meta.report = address(repository.report)
  meta.site = address(repository.site)
  meta.edit = address(repository.edit and
                      repository.edit:gsub('{path}', source))
  meta.pagetitle = stringify(meta.title or '')
  meta.description = stringify(meta.question or meta.description or '')
end

-- ---- Blocks ---------------------------------------------------------------

-- A heading shows its number, and links to itself unless it holds a link.
local function Header(header)
  local number = header.attributes['data-number']
  if number then
    header.attributes['data-number'] = nil
    header.content:insert(1, pandoc.Space())
    header.content:insert(1, pandoc.Span({pandoc.Str(number)},
                                         {class = 'number'}))
  end
  local has_link = false
  header:walk{Link = function() has_link = true end}
  if header.identifier == '' or has_link then return nil end
  header.content = {pandoc.Link(header.content, '#' .. header.identifier, '',
                                {class = 'self'})}
  return header
end

-- What is wider than a phone scrolls by itself, by keyboard too. The markup says
-- so, and no script has to: `name` is what a screen reader calls it.
local function scrolls(attributes, name)
  attributes['tabindex'] = '0'
  attributes['role'] = 'group'
  attributes['aria-label'] = name
  attributes['data-scrolls'] = ''
end

-- "Equation 3.1" of the number next to it, "(3.1)".
local function Span(span)
  if not span.classes:includes('equation') then return nil end
  local number
  span:walk{Span = function(inner)
    if inner.classes:includes('equation-number') then
      number = stringify(inner.content):match('^%((.*)%)$')
    end
  end}
  scrolls(span.attributes, number and 'Equation ' .. number or 'Formula')
  return span
end

-- What code is called that has no caption, by its first class.
local code_names = {console = 'Shell lines', output = 'Output',
                    pseudo = 'Pseudo-code'}

local function CodeBlock(block)
  local language = block.classes[1] or ''
  local name = block.attributes['aria-label'] or code_names[language] or 'Code'
  block.attributes['aria-label'] = name
  if language == 'console' then
    scrolls(block.attributes, name)
    return pandoc.Div({block}, {class = 'typed'})
  end
  local shown = code.html(block)
  if shown then return shown end
  local _, breaks = block.text:gsub('\n', '\n')
  scrolls(block.attributes, name)
  block.attributes['style'] = string.format('--lines: %d', breaks + 1)
  return block
end

-- Regions of a page need names of their own, also where there is no caption.
local n_unnamed = 0

-- A citation is not part of the name, and citeproc has yet to write it.
local function caption_text(table_)
  local caption = pandoc.Div(table_.caption.long):walk{
    Cite = function() return {} end}
  local text = stringify(caption):gsub(' +([.,;:])', '%1'):gsub('%s+$', '')
  if text ~= '' then return text end
  n_unnamed = n_unnamed + 1
  return 'Table ' .. n_unnamed
end

-- Attributes as a list: a table of Lua's has no order, and two builds would
-- differ.
local function in_scroller(table_)
  return pandoc.Div({table_}, pandoc.Attr('', {'section', 'table-scroll'}, {
    {'tabindex', '0'}, {'data-scrolls', ''},
    {'aria-label', caption_text(table_)}}))
end

-- pandoc aligns each cell by a style of its own. A class says it shorter, and
-- book.css decides; left is what cells are without.
local side_of = {AlignRight = 'right', AlignCenter = 'center'}

local function put_sides(rows, sides)
  for _, row in ipairs(rows) do
    local column = 1
    for _, cell in ipairs(row.cells) do
      local side = sides[column]
      if side then cell.attr.classes = {side} end
      column = column + cell.col_span
    end
  end
  return rows
end

-- A table with a long line gets shares of the width from pandoc, by the dashes
-- below its head. Where these are alike, no one meant them: the browser knows
-- better how wide its columns are.
local function Table(table_)
  local sides = {}
  local columns = table_.colspecs
  local alike = true
  for _, column in ipairs(columns) do
    alike = alike and column[2] == columns[1][2]
  end
  for i, column in ipairs(columns) do
    sides[i] = side_of[column[1]]
    columns[i] = {'AlignDefault', not alike and column[2] or nil}
  end
  table_.colspecs = columns
  if next(sides) == nil then return table_ end
  local head = table_.head
  head.rows = put_sides(head.rows, sides)
  table_.head = head
  local bodies = table_.bodies
  for _, body in ipairs(bodies) do body.body = put_sides(body.body, sides) end
  table_.bodies = bodies
  return table_
end

-- Tables of results come with a scroller of their own.
local function Blocks(blocks)
  for i, block in ipairs(blocks) do
    local before = blocks[i - 1]
    if block.t == 'Table' and not (before and before.t == 'RawBlock' and
                                   before.text:find('table%-scroll')) then
      blocks[i] = in_scroller(block)
    end
  end
  return blocks
end

-- A drawing that is wider than the screen scrolls above its caption. Browsers
-- leave out what is far from the screen, and so must know how tall it is.
local function RawBlock(block)
  local svg = block.format == 'html' and
              block.text:match('^<figure>\n(<svg.*)\n<figcaption>$')
  if not svg then return nil end
  local width, height = svg:match('viewBox="0 0 ([%d.]+) ([%d.]+)"')
  local style = width and
    string.format(' style="--tall: %.3f"', height / width) or ''
  return pandoc.RawBlock('html',
    '<figure>\n<div class="drawing" role="group" aria-label="Drawing"' ..
    style .. ' tabindex="0" data-scrolls="">\n' .. svg ..
    '\n</div>\n<figcaption>')
end

-- Key → place in the bibliography's file, which is in the order of printing.
local function places(path)
  local place, n = {}, 0
  for line in io.lines(path) do
    local key = line:match('^ *"id": "(.*)",$')
    if key then
      n = n + 1
      place['ref-' .. key] = n
    end
  end
  return place
end

-- What the page cites: a list, and in a chapter a heading above it. citeproc
-- lists the entries as they are first cited. To sort them, it would set up the
-- alphabets of all languages, a tenth of a page's time.
local function bibliography(refs, with_heading, path)
  local entries, items, place = {}, pandoc.List(), places(path)
  refs:walk{Div = function(entry)
    if place[entry.identifier] then entries[#entries + 1] = entry end
  end}
  table.sort(entries, function(a, b)
    return place[a.identifier] < place[b.identifier]
  end)
  for _, entry in ipairs(entries) do
    items:insert({pandoc.Div(entry.content, {id = entry.identifier})})
  end
  local list = pandoc.Div({pandoc.BulletList(items)}, {class = 'cited'})
  if not with_heading then return list end
  local heading = pandoc.Header(2, {pandoc.Str('References')},
                                {id = 'references'})
  return {Header(heading), list}
end

-- A command breaks between its words, not after the dashes of an option.
local function whole_words(code, attributes)
  local words = escape(code.text):gsub('%S+', '<span>%0</span>')
  return pandoc.RawInline('html',
    '<code' .. (attributes or '') .. '>' .. words .. '</code>')
end

-- Is there a command? They are written at the end: raw HTML has no text that a
-- caption's name could be made of.
local has_commands = false

-- A short piece of code in a sentence does not break at all.
local function Code(code)
  if #code.classes > 0 or not code.text:find('[- ]') then return nil end
  if #code.text > 24 then
    has_commands = has_commands or code.text:find(' -', 1, true) ~= nil
    return nil
  end
  code.classes = {'whole'}
  return code
end

local function command(code)
  if #code.classes > 0 or not code.text:find(' -', 1, true) then return nil end
  return whole_words(code)
end

-- The list of a chapter's sources leads to all that is known of them.
local function provenance(div)
  div = div:walk{Code = function(code) return whole_words(code) end}
  div.content:insert(pandoc.Para{
    pandoc.Str('Clocks, temperatures, spreads and flags of these runs: '),
    pandoc.Link('How these numbers were made', 'measured.html'),
    pandoc.Str('.')})
  return div
end

-- A path breaks after its slashes.
local function listing_header(div)
  return div:walk{Code = function(code)
    if code.classes:includes('path') then
      return pandoc.RawInline('html', '<code class="path">' ..
        escape(code.text):gsub('/', '/<wbr>') .. '</code>')
    elseif code.classes:includes('run') then
      return whole_words(code, ' class="run"')
    end
  end}
end

-- The code of a listing is called as its caption's label, "Listing 3.1".
local function named_code(div)
  local label
  div:walk{Span = function(span)
    if span.classes:includes('label') then label = stringify(span.content) end
  end}
  if not label then return nil end
  for _, block in ipairs(div.content) do
    if block.t == 'CodeBlock' then
      block.attributes['aria-label'] = label
      block.attributes['data-label'] = div.identifier
    end
  end
  return div
end

local function Div(div)
  if div.classes:includes('listing') or div.classes:includes('output') then
    return named_code(div)
  end
  if div.classes:includes('listing-header') then return listing_header(div) end
  if div.classes:includes('provenance') then return provenance(div) end
end

-- ---- The page ---------------------------------------------------------------

local M = {}

-- The blocks made ready for the page, and its sections for the contents.
function M.dressed(doc)
  local list = section_list(doc)
  doc = doc:walk{Div = Div}
  doc = doc:walk{Header = Header, RawBlock = RawBlock, CodeBlock = CodeBlock,
                 Blocks = Blocks, Table = Table, Span = Span, Code = Code}
  if has_commands then doc = doc:walk{Code = command} end
  return doc, list
end

local function references(doc)
  return doc:walk{Div = function(div)
    if div.identifier ~= 'refs' or #div.content == 0 then return nil end
    return bibliography(div, is_chapter,
                        stringify(doc.meta['book-bibliography']))
  end}
end

M[1] = {Pandoc = function(doc)
  is_chapter = (PANDOC_STATE.input_files[1] or ''):match('/%d[^/]*$') ~= nil
  local list = doc.meta['book-sections']
  if list then
    list = stringify(list)
  else
    doc, list = M.dressed(doc)
  end
  doc = references(doc)
  set_frame(doc.meta, read_outline(stringify(doc.meta['book-outline'])), list)
  return doc
end}

return M
