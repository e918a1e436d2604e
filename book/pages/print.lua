-- The frame of a chapter on paper, for templates/chapter.tex. Runs after the
-- filters of the book (book/filters), as a second -L.

local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
package.path = here .. '/?.lua;' .. here .. '/../filters/lib/?.lua;' ..
               package.path

local add_index = require 'print_index'
local code = require 'code'
local escape = require 'escape'
local rows = require('fill').rows
local stringify = pandoc.utils.stringify

local function raw(text, ...)
  return pandoc.RawBlock('latex', select('#', ...) > 0 and text:format(...) or
                                  text)
end

-- The page holds 80 columns. Longer lines (those of a manual, of a reader's
-- run) get smaller letters, and very long ones are broken.
local most_columns, console_columns, broken_columns = 80, 76, 96

local function columns(text)
  local most = 0
  for line in text:gmatch('[^\n]+') do
    most = math.max(most, utf8.len(line) or #line)
  end
  return most
end

local function fitted(block, most)
  local n = columns(block.text)
  if n <= most then return {block} end
  local options = n <= broken_columns and string.format(
      'fontsize=\\fontsize{%.2fpt}{%.2fpt}\\selectfont', 8.2 * most / n,
      10.2 * most / n) or 'breaklines=true, breakanywhere=true'
  return {raw('\\begingroup\\fvset{' .. options .. '}'), block,
          raw('\\endgroup')}
end

-- Code between what comes before and after it.
local function framed(before, block, most, after)
  local list = pandoc.List{raw(before)}
  list:extend(fitted(block, most))
  list:insert(raw(after))
  return list
end

-- What is new against the version before, the numbers of callouts, and how often
-- a line ran.
local function code_marks(block)
  local marks, parts = code.marks(block), {}
  local _, n_breaks = block.text:gsub('\n', '\n')
  local function each(name, put)
    for line = 1, n_breaks + 1 do
      local mark = marks[name][line]
      if mark then put(line, mark) end
    end
  end
  local function add(...) parts[#parts + 1] = string.format(...) end
  each('new', function(line) add('\\warpnew{%d}', line) end)
  each('words', function(line, ranges)
    for _, range in ipairs(ranges) do
      add('\\warpwords{%d}{%d}{%d}', line, range[1] - 1, range[2] - range[1] + 1)
    end
  end)
  each('callouts', function(line, n) add('\\warpcallout{%d}{%s}', line, n) end)
  each('hits', function(line, hits)
    add('\\warphits{%d}{%s}{%s}', line, hits[1], hits[2])
  end)
  return table.concat(parts)
end

local function CodeBlock(block)
  if block.classes:includes('console') then
    return framed('\\begin{bookconsole}', block, console_columns,
                  '\\end{bookconsole}')
  end
  if block.classes:includes('pseudo') then
    return framed('\\fvset{samepage=true}', block, most_columns,
                  '\\fvset{samepage=false}')
  end
  local marks = code_marks(block)
  if marks == '' then return fitted(block, most_columns) end
  return framed('\\begingroup' .. marks, block, most_columns, '\\endgroup')
end

-- A path or a long name in the text may go on in the next line after a slash
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

local function breakable(block) return block:walk{Code = break_code} end

-- A short listing stays in one piece, and with the heading above it. A longer
-- one is cut, after an empty line if there is one, but does not begin at a
-- page's foot.
local short, share = 11, 0.2
local line_points, around_points = 10.2, 60

-- A short table is not cut, a longer one only if that saves much.
local few_rows, row_points = 12, 11.5

local function keep_table(div)
  local n_rows = 0
  div:walk{Table = function(block)
    local table_ = pandoc.utils.to_simple_table(block)
    n_rows = math.max(n_rows, #table_.rows)
  end}
  if n_rows == 0 then return nil end
  div.content:insert(1, pandoc.RawBlock('latex', string.format(
    '\\warpwhole{%.0fpt}{%.2f}', n_rows * row_points + around_points,
    n_rows <= few_rows and 0.28 or share)))
  return div
end

-- How many lines the code has, and which of them follow an empty line.
local function lines_of(div)
  local n_lines, good
  div:walk{CodeBlock = function(block)
    if n_lines then return nil end
    n_lines, good = 0, {}
    local empty = false
    for line in (block.text .. '\n'):gmatch('(.-)\n') do
      n_lines = n_lines + 1
      if empty and line ~= '' then good[#good + 1] = n_lines end
      empty = line == ''
    end
  end}
  return n_lines, good
end

local function Div(div)
  if div.classes:includes('result-table') or div.classes:includes('table') then
    return keep_table(div)
  end
  if not div.classes:includes('listing') and
     not div.classes:includes('output') then
    return nil
  end
  local n_lines, good = lines_of(div)
  if not n_lines then return nil end
  if n_lines <= short then
    div.content:insert(1, raw('\\fvset{samepage=true}'))
    div.content:insert(raw('\\fvset{samepage=false}'))
  else
    -- The first element begins the environment: what follows is local to it.
    div.content:insert(2, raw('\\warpbreaks{%d}{%s}', n_lines,
                              table.concat(good, ',')))
    div.content:insert(1, raw('\\warpwhole{%.0fpt}{%.2f}',
      n_lines * line_points + around_points, share))
  end
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

-- What raw LaTeX takes, in letters: the numbers that results have become, with
-- their marks, which are small.
local function raw_letters(text)
  local n = 0
  text = text:gsub('\\resultstack{[lr]}(%b{})(%b{})', function(own, others)
    local most = raw_letters(own)
    for line in (others:sub(2, -2) .. '\\\\'):gmatch('(.-)\\\\') do
      most = math.max(most, raw_letters(line))
    end
    n = n + most
    return ''
  end)
  text = text:gsub('\\resultmark%b{}', '000'):gsub('\\resultdoubt{}', '0')
             :gsub('\\%a+ ?', ''):gsub('\\,', ''):gsub('[{}\\]', '')
  return n + (utf8.len(text) or #text)
end

-- The raw LaTeX in a cell, or among inlines, each piece to `f`.
local function each_raw(list, f)
  local first = list[1]
  if not first then return end
  local is_blocks = first.t == 'Plain' or first.t == 'Para'
  pandoc.walk_block(is_blocks and pandoc.Div(list) or pandoc.Plain(list), {
    RawInline = function(raw) f(raw.text) end,
  })
end

local function letters(list)
  local text = stringify(list):gsub('\u{202F}', ''):gsub('\u{200B}', '')
  local n = utf8.len(text) or #text
  each_raw(list, function(raw) n = n + raw_letters(raw) end)
  return n
end

local function longest_word(list)
  local most = 0
  for word in stringify(list):gsub('\u{200B}', ' '):gmatch('[^ ]+') do
    most = math.max(most, utf8.len(word) or #word)
  end
  each_raw(list, function(raw) most = math.max(most, raw_letters(raw)) end)
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

-- What the cells of each column hold: letters of the longest cell, of its
-- longest word, and of all cells. Type of one width is a little wider.
local function texts_of(table_)
  local columns = {}
  for i, heading in ipairs(table_.headers) do
    local column = {most = 0, word = 0, all = 0}
    local function add(cell)
      local n = letters(cell)
      pandoc.walk_block(pandoc.Div(cell), {Code = function(code)
        n = n + 0.15 * #code.text
      end})
      column.most = math.max(column.most, n + 1)
      column.word = math.max(column.word, longest_word(cell))
      column.all = column.all + n
    end
    add(heading)
    for _, row in ipairs(table_.rows) do add(row[i]) end
    columns[i] = column
  end
  return columns
end

-- A table of texts: a column that needs less than its share of the line gets
-- what it needs, and the others share the rest by what they hold.
local longest_kept = 22   -- paths and long names may be broken

local function share_line(table_)
  local columns = texts_of(table_)
  local line = (page_points - sizes[1].between * (#columns - 1)) /
               sizes[1].letter
  local left, width = line, {}
  local function weight(column) return math.sqrt(column.all) end
  local weights, fixed
  local function part(column) return left * weight(column) / weights end
  repeat
    weights, fixed = 0, nil
    for i, column in ipairs(columns) do
      if not width[i] then weights = weights + weight(column) end
    end
    for i, column in ipairs(columns) do
      if not width[i] and not fixed then
        local least = math.min(column.word + 1, longest_kept)
        fixed = column.most <= part(column) and column.most or
                part(column) < least and least
        width[i] = fixed or nil
      end
    end
    left = left - (fixed or 0)
  until not fixed
  for i, column in ipairs(columns) do
    table_.widths[i] = (width[i] or part(column)) / line
  end
  return pandoc.utils.from_simple_table(table_)
end

-- Names and sentences that a column of their own would have to hold whole: such
-- a table gets columns that break their lines.
local longest_cell, least_excess = 24, 1.15

local function has_texts(table_)
  for _, row in ipairs(table_.rows) do
    for i, cell in ipairs(row) do
      if table_.aligns[i] ~= 'AlignRight' and letters(cell) > longest_cell then
        return true
      end
    end
  end
  return false
end

local function with_breaks(cell)
  return pandoc.walk_block(pandoc.Div(cell), {Str = function(str)
    return pandoc.Str(escape.breaks(str.text))
  end}).content
end

local function wrapped(table_)
  for _, row in ipairs(table_.rows) do
    for i, cell in ipairs(row) do row[i] = with_breaks(cell) end
  end
  return share_line(table_)
end

-- A table that would stick out gets its headings in several lines and, if
-- that is not enough, smaller letters.
local function fitted_table(block, table_)
  if has_widths(table_) then return {share_line(table_)} end
  local whole, stacked = widths_of(table_)
  if points(whole, sizes[1]) <= page_points then return {block} end
  if points(stacked, sizes[2]) > least_excess * page_points and
     has_texts(table_) then
    return {wrapped(table_)}
  end
  for i, heading in ipairs(table_.headers) do
    if letters(heading) > stacked[i] then
      table_.headers[i] = stack(heading, stacked[i], table_.aligns[i])
    end
  end
  local narrow = pandoc.utils.from_simple_table(table_)
  if points(stacked, sizes[1]) <= page_points then return {narrow} end
  return {
    pandoc.RawBlock('latex', '\\begingroup\\renewcommand' ..
                    '{\\warptablesize}{' .. sizes[2].name .. '}'),
    narrow, pandoc.RawBlock('latex', '\\endgroup'),
  }
end

-- A number that has those of other machines next to it would be as wide as three:
-- in a cell they go below it, and a line below the table says whose they are.
local function stacked_numbers(cell, align, others)
  local side = align == 'AlignRight' and 'r' or 'l'
  return pandoc.walk_block(pandoc.Div(cell), {RawInline = function(inline)
    local numbers, own = {}, nil
    own = inline.text:gsub('\\resultreference(%b{})(%b{})',
      function(machine, number)
        machine = machine:sub(2, -2)
        if not others[machine] then
          others[machine] = true
          others[#others + 1] = machine
        end
        numbers[#numbers + 1] = number:sub(2, -2)
        return ''
      end)
    if #numbers == 0 then return nil end
    return pandoc.RawInline('latex', string.format('\\resultstack{%s}{%s}{%s}',
      side, own, table.concat(numbers, '\\\\')))
  end}).content
end

local function stack_numbers(table_)
  local others = {}
  for _, row in ipairs(table_.rows) do
    for i, cell in ipairs(row) do
      row[i] = stacked_numbers(cell, table_.aligns[i], others)
    end
  end
  return others
end

-- The class must know which rows are the last.
local function Table(block)
  local table_ = pandoc.utils.to_simple_table(block)
  local others = stack_numbers(table_)
  if #others > 0 then block = pandoc.utils.from_simple_table(table_) end
  local list = pandoc.List(fitted_table(block, table_))
  list:insert(1, raw('\\warptablerows{%d}', #table_.rows))
  if #others > 0 then
    list:insert(raw('\\bookdata{Below each number: %s.}',
                    table.concat(others, ', then ')))
  end
  return list
end

-- ---- The frame ------------------------------------------------------------

local function number_of(outline, slug)
  for _, cells in ipairs(rows(outline)) do
    if cells[2] == slug then return cells[1] end
  end
end

-- Sections that every chapter has are not worth a line of the contents.
local routine = {Summary = true, Exercises = true, Sources = true,
                 Solutions = true}

local function with_quiet(blocks)
  local list = pandoc.List()
  for _, block in ipairs(blocks) do
    if block.t == 'Header' and routine[stringify(block)] then
      -- The running head of one without a number.
      if block.classes:includes('unnumbered') then
        list:insert(raw('\\markright{' .. stringify(block) .. '}'))
      end
      list:extend{raw('\\warpquiet'), block, raw('\\warploud')}
    else
      list:insert(block)
    end
  end
  return list
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
  if meta.slug then
    doc = add_index(doc, stringify(meta['book-labels']))
    meta = doc.meta
  end
  -- As a label: an underscore in it is no letter to escape.
  if meta.slug then
    meta.slug = pandoc.MetaInlines{
      pandoc.RawInline('latex', stringify(meta.slug))}
  end
  doc.blocks = with_quiet(doc.blocks)
  return doc:walk{Div = Div}:walk{CodeBlock = CodeBlock, Table = Table}
            :walk{Para = breakable, Plain = breakable}
end
