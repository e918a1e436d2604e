-- Blocks as HTML, the same that pandoc writes for them.
--
-- Handing a chapter back to pandoc, carrying it through citeproc and having it
-- written takes longer than all filters before. Only what holds a citation needs
-- that. The rest is written here, and goes through pandoc as a few pieces of raw
-- HTML. What this file does not know stays an element, and pandoc writes it.
-- tests/book/pages/html compares the two, page by page.

local M = {}

local find, gsub = string.find, string.gsub

local letters = {['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;',
                 ['"'] = '&quot;', ["'"] = '&#39;'}

-- Pieces of HTML in the order of writing.
local out, n

local function put(piece)
  n = n + 1
  out[n] = piece
end

local function text(given)
  if find(given, '[&<>]') then given = gsub(given, '[&<>]', letters) end
  -- Pictures by themselves: pandoc asks for letters.
  if find(given, '\u{21A9}', 1, true) or find(given, '\u{2194}', 1, true) then
    given = gsub(gsub(given, '\u{21A9}', '%0\u{FE0E}'), '\u{2194}',
                 '%0\u{FE0E}')
  end
  return given
end

local function escaped(given)
  if find(given, '[&<>"\']') then given = gsub(given, '[&<>"\']', letters) end
  return given
end

-- ---- Attributes ---------------------------------------------------------------

local known = {tabindex = true, style = true, role = true, title = true,
               lang = true}

-- pandoc puts `data-` before a name that HTML does not know, by a list of its
-- own.
local function plain_names(el)
  for key in pairs(el.attributes) do
    if not known[key] and not find(key, '^data%-') and
       not find(key, '^aria%-') then
      return false
    end
  end
  return true
end

local function put_pairs(el)
  for key, value in pairs(el.attributes) do
    put(' ' .. key .. '="' .. escaped(value) .. '"')
  end
end

local function put_id(el)
  local id = el.identifier
  if id ~= '' then put(' id="' .. escaped(id) .. '"') end
end

local function put_classes(classes)
  if #classes > 0 then
    put(' class="' .. escaped(table.concat(classes, ' ')) .. '"')
  end
end

local function put_attributes(el)
  put_id(el)
  put_classes(el.classes)
  put_pairs(el)
end

-- ---- Inlines --------------------------------------------------------------------

-- Each of these gives false for what pandoc must write.
local inline = {}

local function put_inlines(items)
  for i = 1, #items do
    local el = items[i]
    local t = el.t
    if t == 'Str' then
      put(text(el.text))
    else
      local f = inline[t]
      if not f or f(el) == false then return false end
    end
  end
end

function inline.Space() put(' ') end
function inline.SoftBreak() put('\n') end
function inline.LineBreak() put('<br />\n') end

for t, name in pairs {Emph = 'em', Strong = 'strong', Superscript = 'sup',
                      Subscript = 'sub'} do
  inline[t] = function(el)
    put('<' .. name .. '>')
    if put_inlines(el.content) == false then return false end
    put('</' .. name .. '>')
  end
end

function inline.Quoted(el)
  local double = el.quotetype == 'DoubleQuote'
  put(double and '“' or '‘')
  if put_inlines(el.content) == false then return false end
  put(double and '”' or '’')
end

function inline.Code(el)
  if not plain_names(el) then return false end
  put('<code')
  put_attributes(el)
  put('>')
  put(text(el.text))
  put('</code>')
end

-- Classes that make another element of a span.
local own_element = {kbd = true, mark = true, dfn = true, underline = true,
                     ul = true, smallcaps = true, ['csl-no-emph'] = true,
                     ['csl-no-strong'] = true, ['csl-no-smallcaps'] = true}

function inline.Span(el)
  if not plain_names(el) then return false end
  for _, class in ipairs(el.classes) do
    if own_element[class] then return false end
  end
  put('<span')
  put_attributes(el)
  put('>')
  if put_inlines(el.content) == false then return false end
  put('</span>')
end

function inline.Link(el)
  if not plain_names(el) or find(el.target, '^mailto:') then return false end
  put('<a href="' .. escaped(el.target) .. '"')
  put_attributes(el)
  if el.title ~= '' then put(' title="' .. escaped(el.title) .. '"') end
  put('>')
  if put_inlines(el.content) == false then return false end
  put('</a>')
end

function inline.RawInline(el)
  if el.format == 'html' or el.format == 'html5' then put(el.text) end
end

-- Formulas are pandoc's to write: one call for all of a page.
local formulas

local function formula_key(el) return el.mathtype .. ':' .. el.text end

function inline.Math(el)
  local html = formulas[formula_key(el)]
  if not html then return false end
  put(html)
end

-- Browsers give brackets that may stretch the room of the largest ones. Those
-- of a flat formula need not stretch.
function M.flat_brackets(tex, html)
  if not tex:find('[()]') or tex:find('\\%a*frac') or tex:find('\\sum') or
     tex:find('\\left') then
    return html
  end
  return (html:gsub('stretchy="true"', 'stretchy="false"'))
end

-- What texmath cannot read is no <math>. pandoc's warning shows where in the
-- formula, but not where that is.
local function refuse_formula(el)
  local mark = el.mathtype == 'DisplayMath' and '$$' or '$'
  require('diagnostics').error({el.text, el.text:match('^%s*(.-)%s*$')},
    'TeX that cannot be read: ' .. mark .. el.text .. mark,
    "pandoc's warning shows the place; MathML has no macros and no packages")
end

local function write_formulas(doc)
  local list, blocks = {}, {}
  formulas = {}
  doc:walk {Math = function(el)
    local key = formula_key(el)
    if formulas[key] == nil then
      formulas[key] = false
      list[#list + 1] = el
      blocks[#blocks + 1] = pandoc.Plain {el}
      blocks[#blocks + 1] = pandoc.RawBlock('html', '\1')
    end
  end}
  if #list == 0 then return end
  local html = pandoc.write(pandoc.Pandoc(blocks), 'html',
                            {html_math_method = 'mathml'})
  local i = 0
  for one in html:gmatch('([^\1]*)\n\1\n?') do
    i = i + 1
    if one:find('^<math.*</math>$') then
      formulas[formula_key(list[i])] = M.flat_brackets(list[i].text, one)
    else
      refuse_formula(list[i])
    end
  end
  require('diagnostics').stop_if_any()
end

-- ---- Blocks ---------------------------------------------------------------------

local block = {}

-- Between blocks stands an end of line; what writes nothing at all has none.
local function is_nothing(el)
  return (el.t == 'RawBlock' and el.format ~= 'html' and
          el.format ~= 'html5') or
         ((el.t == 'Plain' or el.t == 'Para') and #el.content == 0) or
         el.t == 'Null'
end

local function put_blocks(blocks)
  local first = true
  for i = 1, #blocks do
    local el = blocks[i]
    if not is_nothing(el) then
      if not first then put('\n') end
      first = false
      local f = block[el.t]
      if not f or f(el) == false then return false end
    end
  end
end

function block.RawBlock(el) put(el.text) end

function block.Plain(el) return put_inlines(el.content) end

function block.Para(el)
  put('<p>')
  if put_inlines(el.content) == false then return false end
  put('</p>')
end

function block.HorizontalRule() put('<hr />') end

function block.Header(el)
  if not plain_names(el) then return false end
  local name = 'h' .. math.tointeger(el.level)
  put('<' .. name)
  put_classes(el.classes)
  put_pairs(el)
  put_id(el)
  put('>')
  if put_inlines(el.content) == false then return false end
  put('</' .. name .. '>')
end

function block.CodeBlock(el)
  if not plain_names(el) then return false end
  put('<pre')
  put_attributes(el)
  put('><code>')
  put(escaped(el.text))
  put('</code></pre>')
end

function block.BlockQuote(el)
  put('<blockquote>\n')
  if put_blocks(el.content) == false then return false end
  put('\n</blockquote>')
end

-- The element's begin and its name, or nothing if pandoc must write it.
local function begin_div(el)
  if not plain_names(el) or #el.content == 0 then return nil end
  local name, classes = 'div', el.classes
  for _, class in ipairs(classes) do
    if class == 'section' then
      name = 'section'
    elseif class == 'waits' or class == 'columns' or class == 'column' or class == 'notes' or
           class:find('^csl%-') then
      return nil
    end
  end
  if name == 'section' then
    classes = {}
    for _, class in ipairs(el.classes) do
      if class ~= 'section' then classes[#classes + 1] = class end
    end
  end
  put('<' .. name)
  put_id(el)
  put_classes(classes)
  put_pairs(el)
  put('>')
  return name
end

-- pandoc makes a section of a block that begins with a heading, and gives it
-- the heading's name.
local function put_section(el, heading)
  if el.identifier ~= '' or #el.attributes > 0 or #heading.attributes > 0 then
    return false
  end
  for i, inner in ipairs(el.content) do
    if i > 1 and inner.t == 'Header' and inner.level <= heading.level then
      return false
    end
  end
  local classes = pandoc.List {}
  classes:extend(heading.classes)
  for _, class in ipairs(el.classes) do
    if class == 'column' or class == 'columns' then return false end
    if not classes:includes(class) then classes:insert(class) end
  end
  put('<section')
  put_id(heading)
  put_classes(classes)
  put('>\n')
  local content = pandoc.List {pandoc.Header(heading.level, heading.content,
    pandoc.Attr('', heading.classes))}
  for i = 2, #el.content do content[i] = el.content[i] end
  if put_blocks(content) == false then return false end
  put('\n</section>')
end

local function heading_of(el)
  local first = el.content[1]
  return first and first.t == 'Header' and first or nil
end

function block.Div(el)
  local heading = heading_of(el)
  if heading then return put_section(el, heading) end
  local name = begin_div(el)
  if not name then return false end
  put('\n')
  if put_blocks(el.content) == false then return false end
  put('\n</' .. name .. '>')
end

local function put_items(items)
  for i = 1, #items do
    put('\n<li>')
    if put_blocks(items[i]) == false then return false end
    put('</li>')
  end
  put('\n')
end

-- An item that begins with a box to tick is written otherwise.
local function has_boxes(items)
  for _, item in ipairs(items) do
    local first = item[1] and item[1].content and item[1].content[1]
    if first and first.t == 'Str' and
       (first.text == '☐' or first.text == '☒') then
      return true
    end
  end
  return false
end

function block.BulletList(el)
  if #el.content == 0 or has_boxes(el.content) then return false end
  put('<ul>')
  if put_items(el.content) == false then return false end
  put('</ul>')
end

function block.OrderedList(el)
  if #el.content == 0 or el.style ~= 'Decimal' and
     el.style ~= 'DefaultStyle' then
    return false
  end
  put('<ol')
  if el.start ~= 1 then put(' start="' .. math.tointeger(el.start) .. '"') end
  if el.style == 'Decimal' then put(' type="1"') end
  put('>')
  if put_items(el.content) == false then return false end
  put('</ol>')
end

function block.DefinitionList(el)
  put('<dl>')
  for _, item in ipairs(el.content) do
    put('\n<dt>')
    if put_inlines(item[1]) == false then return false end
    put('</dt>')
    for _, blocks in ipairs(item[2]) do
      put('\n<dd>\n')
      if put_blocks(blocks) == false then return false end
      put('\n</dd>')
    end
  end
  put('\n</dl>')
end

-- ---- Tables -----------------------------------------------------------------------

local function has_attributes(attr)
  return attr.identifier ~= '' or #attr.classes > 0 or #attr.attributes > 0
end

local function put_row(row, class, name)
  if has_attributes(row.attr) then return false end
  put('\n<tr class="' .. class .. '">')
  for _, cell in ipairs(row.cells) do
    if cell.row_span ~= 1 or cell.col_span ~= 1 or
       cell.alignment ~= 'AlignDefault' then
      return false
    end
    put('\n<' .. name)
    put_attributes(cell.attr)
    put('>')
    if put_blocks(cell.contents) == false then return false end
    put('</' .. name .. '>')
  end
  put('\n</tr>')
end

local function is_simple(table_)
  for _, column in ipairs(table_.colspecs) do
    if column[1] ~= 'AlignDefault' or column[2] then return false end
  end
  local body = table_.bodies[1]
  return #table_.bodies == 1 and #body.head == 0 and #table_.head.rows == 1 and
    #table_.foot.rows == 0 and body.row_head_columns == 0 and
    #body.body > 0 and not has_attributes(body.attr) and
    not has_attributes(table_.head.attr)
end

-- pandoc leaves out a head without words.
local function has_words(row)
  for _, cell in ipairs(row.cells) do
    if #cell.contents > 0 then return true end
  end
  return false
end

function block.Table(el)
  if not plain_names(el) or not is_simple(el) or
     not has_words(el.head.rows[1]) then
    return false
  end
  put('<table')
  put_attributes(el)
  put('>')
  if #el.caption.long > 0 then
    put('\n<caption>')
    if put_blocks(el.caption.long) == false then return false end
    put('</caption>')
  end
  put('\n<thead>')
  if put_row(el.head.rows[1], 'header', 'th') == false then return false end
  put('\n</thead>\n<tbody>')
  for i, row in ipairs(el.bodies[1].body) do
    if put_row(row, i % 2 == 1 and 'odd' or 'even', 'td') == false then
      return false
    end
  end
  put('\n</tbody>\n</table>')
end

-- ---- The page -----------------------------------------------------------------------

local function raw_formula(el)
  local html = formulas[formula_key(el)]
  return html and pandoc.RawInline('html', html) or nil
end

-- What becomes of blocks: as much of them as can be in pieces of HTML.
local function rendered(blocks)
  local made = pandoc.List {}
  local pending = {}
  local function flush()
    if #pending > 0 then
      made:insert(pandoc.RawBlock('html', table.concat(pending, '\n')))
    end
    pending = {}
  end
  for _, el in ipairs(blocks) do
    out, n = {}, 0
    local f = block[el.t]
    if is_nothing(el) then
      -- nothing
    elseif f and f(el) ~= false then
      pending[#pending + 1] = table.concat(out, '', 1, n)
    else
      flush()
      if el.t == 'Div' and not heading_of(el) then
        el.content = rendered(el.content)
      else
        el = el:walk {Math = raw_formula}
      end
      made:insert(el)
    end
  end
  flush()
  return made
end

-- The document, ready for citeproc and the frame.
function M.written(doc)
  write_formulas(doc)
  doc.blocks = rendered(doc.blocks)
  return doc
end

return M
