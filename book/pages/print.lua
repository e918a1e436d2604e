-- The frame of a chapter on paper, for templates/chapter.tex. Runs after the
-- filters of the book (book/filters), as a second -L.

local stringify = pandoc.utils.stringify

-- Lines that differ from the version before, for fvextra.
local function CodeBlock(block)
  if block.classes:includes('console') then
    return {pandoc.RawBlock('latex', '\\begin{bookconsole}'), block,
            pandoc.RawBlock('latex', '\\end{bookconsole}')}
  end
  if block.classes:includes('pseudo') then
    return {pandoc.RawBlock('latex', '\\fvset{samepage=true}'), block,
            pandoc.RawBlock('latex', '\\fvset{samepage=false}')}
  end
  local changed = block.attributes['data-changed'] or ''
  if changed == '' then return nil end
  return {
    pandoc.RawBlock('latex', '\\fvset{highlightlines={' .. changed .. '}}'),
    block,
    pandoc.RawBlock('latex', '\\fvset{highlightlines={}}'),
  }
end

-- A path or a long name in the text may go on in the next line behind a slash
-- or an underscore; TeX does not break type of one width by itself.
local longest_whole = 16
local escaped = {
  ['\\'] = '\\textbackslash{}', ['~'] = '\\textasciitilde{}',
  ['^'] = '\\textasciicircum{}', ["'"] = '\\textquotesingle{}',
  ['`'] = '\\textasciigrave{}', ['-'] = '-{}', ['{'] = '\\{',
  ['}'] = '\\}', ['$'] = '\\$', ['&'] = '\\&', ['#'] = '\\#',
  ['%'] = '\\%', ['/'] = '/\\allowbreak{}', ['_'] = '\\_\\allowbreak{}',
}

local function break_code(code)
  if #code.text <= longest_whole or #code.classes > 0 or
     not code.text:find('[/_]') then
    return nil
  end
  return pandoc.RawInline('latex', '\\texttt{' ..
    code.text:gsub('[\\~^\'`{}$&#%%/_-]', escaped) .. '}')
end

local function breakable(block)
  return block:walk{Code = break_code}
end

-- A short listing stays in one piece, and with the heading above it; a
-- longer one if little is lost by that; a very long one begins where some of
-- it fits.
local short, long, least = 16, 45, 8
local line_points, around_points = 10.4, 60

-- A short table is not cut.
local most_rows, row_points = 20, 11.5

local function keep_table(div)
  local n_rows = 0
  div:walk{Table = function(block)
    local table_ = pandoc.utils.to_simple_table(block)
    n_rows = math.max(n_rows, #table_.rows)
  end}
  if n_rows == 0 or n_rows > most_rows then return nil end
  div.content:insert(1, pandoc.RawBlock('latex', string.format(
    '\\warpwhole{%.0fpt}', n_rows * row_points + around_points)))
  return div
end

local function count_lines(div)
  local n_lines
  div:walk{CodeBlock = function(block)
    local _, breaks = block.text:gsub('\n', '')
    n_lines = n_lines or breaks + 1
  end}
  return n_lines
end

local function Div(div)
  if div.classes:includes('result-table') or div.classes:includes('table') then
    return keep_table(div)
  end
  if not div.classes:includes('listing') and
     not div.classes:includes('output') then
    return nil
  end
  local n_lines = count_lines(div)
  if not n_lines then return nil end
  local before, after
  if n_lines <= short then
    before, after = '\\fvset{samepage=true}', '\\fvset{samepage=false}'
  else
    before = string.format(
      n_lines <= long and '\\warpwhole{%.0fpt}' or '\\par\\Needspace{%.0fpt}',
      (n_lines <= long and n_lines or least) * line_points + around_points)
  end
  div.content:insert(1, pandoc.RawBlock('latex', before))
  if after then div.content:insert(pandoc.RawBlock('latex', after)) end
  return div
end

-- ---- Wide tables ----------------------------------------------------------

-- Estimates in points: a letter, the space between two columns, the page.
local sizes = {
  {name = nil, letter = 4.5, between = 10},
  {name = '\\scriptsize\\setlength{\\tabcolsep}{3pt}', letter = 3.9,
   between = 6},
}
local page_points = 396

local function letters(inlines)
  local text = stringify(inlines):gsub('\u{202F}', '')
  return utf8.len(text) or #text
end

local function longest_word(inlines)
  local most = 0
  for word in stringify(inlines):gmatch('[^ ]+') do
    most = math.max(most, utf8.len(word) or #word)
  end
  return most
end

-- Letters of each column: what its cells need, and with its heading in lines.
local function widths_of(table_)
  local whole, stacked = {}, {}
  for i, heading in ipairs(table_.headers) do
    local body = 0
    for _, row in ipairs(table_.rows) do
      body = math.max(body, letters(row[i]))
    end
    whole[i] = math.max(body, letters(heading))
    stacked[i] = math.max(body, longest_word(heading))
  end
  return whole, stacked
end

local function points(widths, size)
  local sum = size.between * (#widths - 1)
  for _, width in ipairs(widths) do sum = sum + width * size.letter end
  return sum
end

-- Headings of results are one string each, with the spaces in it.
local function words(blocks)
  local list = pandoc.List()
  for _, inline in ipairs(pandoc.utils.blocks_to_inlines(blocks)) do
    if inline.t == 'Str' and inline.text:find(' ') then
      for word in inline.text:gmatch('[^ ]+') do
        if #list > 0 then list:insert(pandoc.Space()) end
        list:insert(pandoc.Str(word))
      end
    else
      list:insert(inline)
    end
  end
  return list
end

-- The heading in as many lines as keep it in `width` letters.
local function stack(blocks, width, align)
  local lines, length = {{}}, 0
  for _, inline in ipairs(words(blocks)) do
    if inline.t == 'Space' or inline.t == 'SoftBreak' then
      length = length + 1
    else
      local n = letters{inline}
      if length > 1 and length + n > width then
        lines[#lines + 1] = {}
        length = 0
      elseif length > 0 then
        table.insert(lines[#lines], pandoc.Space())
      end
      table.insert(lines[#lines], inline)
      length = length + n
    end
  end
  local side = align == 'AlignRight' and 'r' or 'l'
  local inlines = pandoc.List{
    pandoc.RawInline('latex', '\\shortstack[' .. side .. ']{')}
  for i, line in ipairs(lines) do
    if i > 1 then inlines:insert(pandoc.RawInline('latex', '\\\\')) end
    inlines:extend(line)
  end
  inlines:insert(pandoc.RawInline('latex', '}'))
  return {pandoc.Plain(inlines)}
end

local function has_widths(table_)
  for _, width in ipairs(table_.widths) do
    if width ~= 0 then return true end
  end
  return false
end

-- A table that would stick out gets its headings in several lines and, if
-- that is not enough, smaller letters.
local function Table(block)
  local table_ = pandoc.utils.to_simple_table(block)
  if has_widths(table_) then return nil end
  local whole, stacked = widths_of(table_)
  if points(whole, sizes[1]) <= page_points then return nil end
  for i, heading in ipairs(table_.headers) do
    if letters(heading) > stacked[i] then
      table_.headers[i] = stack(heading, stacked[i], table_.aligns[i])
    end
  end
  local narrow = pandoc.utils.from_simple_table(table_)
  if points(stacked, sizes[1]) <= page_points then return narrow end
  return {
    pandoc.RawBlock('latex', '\\begingroup\\renewcommand' ..
                    '{\\warptablesize}{' .. sizes[2].name .. '}'),
    narrow, pandoc.RawBlock('latex', '\\endgroup'),
  }
end

-- ---- The frame ------------------------------------------------------------

local function number_of(outline, slug)
  for line in io.lines(outline) do
    local number, name = line:match('^([^\t]*)\t([^\t]*)\t')
    if name == slug then return number end
  end
end

function Pandoc(doc)
  local meta = doc.meta
  local number = number_of(stringify(meta['book-outline']),
                           stringify(meta.slug or ''))
  if number then
    meta.number = number
    meta.lane = tostring(tonumber(number) and (tonumber(number) - 1) % 32
                         or 31)
  end
  -- As a label: an underscore in it is no letter to escape.
  if meta.slug then
    meta.slug = pandoc.MetaInlines{
      pandoc.RawInline('latex', stringify(meta.slug))}
  end
  return doc:walk{Div = Div}:walk{CodeBlock = CodeBlock, Table = Table}
            :walk{Para = breakable, Plain = breakable}
end
