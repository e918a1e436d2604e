-- Colours for code on the pages: the same classes as pandoc's highlighter
-- (kw, dt, co …, see css/code.css), without the third of a page's time that
-- loading its two hundred languages takes. Words of CUDA C are those of
-- syntax/cuda.xml, which the print uses: they stand in one place.
--
-- A lexer walks over a text and calls put(class, piece) for every piece of it,
-- in order; a class of nil is plain text.

local M = {}

local here = debug.getinfo(1, 'S').source:match('^@(.*)/[^/]*$')

local function set(list, class, words)
  for word in words:gmatch('%S+') do list[word] = class end
  return list
end

-- ---- CUDA C and C -----------------------------------------------------------

local class_of_list = {
  control_flow = 'cf', keywords = 'kw', types = 'dt', qualifiers = 'at',
  variables = 'va', intrinsics = 'bu',
}

local function words_of_syntax(name)
  local file = assert(io.open(here .. '/../syntax/' .. name, 'rb'))
  local text = file:read('a')
  file:close()
  local words = {}
  for list, items in text:gmatch('<list name="([%w_]+)">(.-)</list>') do
    local class = class_of_list[list]
    if not class then error('no class for the list ' .. list .. ' of ' .. name) end
    for word in items:gmatch('<item>([^<]+)</item>') do words[word] = class end
  end
  return words
end

-- "%5.2f\n": conversions and escapes stand out.
local function put_string(put, text)
  local at = 1
  while at <= #text do
    local special = text:match('^\\.[0-9a-fA-F]*', at) or
      text:match('^%%[-+ #0]*[%d*]*%.?[%d*]*[hlzjt]*[diouxXfFeEgGaAcsp%%]', at)
    if special and special:sub(1, 1) == '\\' and
       not special:match('^\\[x0-7]') then
      special = special:sub(1, 2)
    end
    if special then
      put('sc', special)
      at = at + #special
    else
      local plain = text:match('^[^\\%%]+', at) or text:sub(at, at)
      put('st', plain)
      at = at + #plain
    end
  end
end

-- To the end of the line, and on behind a backslash.
local function line_at(text, at)
  local stop = at
  repeat
    stop = text:find('\n', stop + 1, true) or #text + 1
  until text:sub(stop - 1, stop - 1) ~= '\\' or stop > #text
  return text:sub(at, stop - 1)
end

local function quoted(text, at, mark)
  local stop = at + 1
  while stop <= #text do
    local letter = text:sub(stop, stop)
    if letter == mark or letter == '\n' then break end
    stop = stop + (letter == '\\' and 2 or 1)
  end
  if text:sub(stop, stop) == '\n' then stop = stop - 1 end
  return text:sub(at, math.min(stop, #text))
end

local function number_at(text, at)
  local piece = text:match("^0[xX][%x']+[uUlL]*", at)
  if piece then return 'bn', piece end
  local whole = text:match("^[%d']*", at)
  local from = at + #whole
  local rest = text:match('^%.%d*', from) or ''
  local power = text:match('^[eE][-+]?%d+', from + #rest) or ''
  from = from + #rest + #power
  if rest ~= '' or power ~= '' then
    return 'fl', whole .. rest .. power .. (text:match('^[fFlL]', from) or '')
  end
  return 'dv', whole .. text:match('^[uUlL]*', from)
end

-- `#include <x.h>`, `#define X 3`: gives what stands before the rest.
local function put_directive(put, text, at)
  local head = text:match('^#[ \t]*%a*', at)
  put('pp', head)
  at = at + #head
  if not head:match('include$') then return at end
  local gap, file = text:match('^([ \t]*)([<"][^>"\n]*[>"])', at)
  if not file then return at end
  put(nil, gap)
  put('im', file)
  return at + #gap + #file
end

local function is_first_of_line(text, at)
  return text:sub(1, at - 1):match('([^\n]*)$'):match('^%s*$') ~= nil
end

local function lex_c(words, text, put)
  local at = 1
  while at <= #text do
    local piece = text:match('^[%a_][%w_]*', at)
    local class
    if piece then
      class = words[piece]
    else
      local two = text:sub(at, at + 1)
      local letter = two:sub(1, 1)
      if two == '//' then
        class, piece = 'co', line_at(text, at)
      elseif two == '/*' then
        local _, stop = text:find('*/', at + 2, true)
        class, piece = 'co', text:sub(at, stop or #text)
      elseif letter == '"' then
        piece = quoted(text, at, '"')
        put_string(put, piece)
        at = at + #piece
        goto next
      elseif letter == "'" then
        class, piece = 'ch', quoted(text, at, "'")
      elseif two:match('^%d') or two:match('^%.%d') then
        class, piece = number_at(text, at)
      elseif letter == '#' and is_first_of_line(text, at) then
        at = put_directive(put, text, at)
        goto next
      elseif text:match('^<<<', at) or text:match('^>>>', at) then
        class, piece = 'at', text:sub(at, at + 2)
      else
        piece = text:match('^[%s%(%)%[%]{},;:=%*&|!%+%-%%%?~%^]+', at) or letter
      end
    end
    put(class, piece)
    at = at + #piece
    ::next::
  end
end

-- ---- PTX -----------------------------------------------------------------------

local special_registers = set({}, 'va', [[%tid %ntid %ctaid %nctaid %laneid
  %warpid %clock %clock64 %smid %lanemask_eq %lanemask_le %lanemask_lt
  %lanemask_ge %lanemask_gt]])
local ptx_types = set({}, 'dt', [[.b8 .b16 .b32 .b64 .b128 .u8 .u16 .u32 .u64
  .s8 .s16 .s32 .s64 .f16 .f16x2 .bf16 .f32 .f64 .pred]])

local ptx_rest = {
  {'^//.*'}, {'^"[^"]*"?'}, {'^%%[%a_$][%w_$]*'}, {'^%.[%a_][%w_]*'},
  {'^0[xXfFdD]%x+U?'}, {'^[%a_$][%w_$]*'}, {'^%-?%d+U?'},
}

local function ptx_class(piece, pattern)
  if pattern == 1 then return 'co' end
  if pattern == 2 then return 'st' end
  if pattern == 3 then return special_registers[piece] end
  if pattern == 4 then return ptx_types[piece] end
  if pattern == 5 then return 'bn' end
  if pattern == 7 then return 'dv' end
end

local function lex_ptx_line(line, put)
  local at = #line:match('^%s*') + 1
  put(nil, line:sub(1, at - 1))
  local function take(class, piece)
    put(class, piece)
    at = at + #piece
  end
  local guard = line:match('^@!?%%[%w_$]+', at)
  if guard then
    take('cf', guard)
    take(nil, line:match('^%s*', at))
  end
  local head = line:match('^[%a_$][%w_$]*:', at)
  if head then
    take('at', head)
  elseif line:match('^%.[%l_]+', at) then
    take('pp', line:match('^%.[%l_]+', at))
  elseif line:match('^%l[%l%d_]*', at) then
    take('kw', line:match('^%l[%l%d_]*', at))
  end
  while at <= #line do
    local piece, class
    for i, rule in ipairs(ptx_rest) do
      piece = line:match(rule[1], at)
      if piece then
        class = ptx_class(piece, i)
        break
      end
    end
    take(class, piece or line:match('^[%s,;:%(%){}%[%]|+]+', at) or
                line:sub(at, at))
  end
end

local function lex_ptx(text, put)
  local first = true
  for line in (text .. '\n'):gmatch('(.-)\n') do
    if not first then put(nil, '\n') end
    first = false
    lex_ptx_line(line, put)
  end
end

-- ---- Languages of a few words: a comment, strings, keywords --------------------

local small = {
  bash = {comment = '#', words = set(set({}, 'cf', [[if then else elif fi for
    in do done while until case esac return exit break continue]]), 'kw',
    [[set export local unset source module srun sbatch echo cd function trap
    shift]])},
  python = {comment = '#', words = set(set({}, 'cf', [[if elif else for while
    return break continue try except finally raise with yield pass]]), 'kw',
    [[def class import from as lambda and or not in is None True False global
    del assert async await nonlocal]])},
  fortran = {comment = '!', any_case = true, words = set(set({}, 'cf', [[if
    then else elseif endif do enddo while call return stop exit cycle select
    case contains]]), 'dt', [[integer real logical character complex type
    dimension parameter allocatable intent in out inout value device managed
    shared constant]])},
  gnuplot = {comment = '#', words = set({}, 'kw', [[set unset plot splot load
    using with title notitle]])},
}
set(small.fortran.words, 'kw', [[program end subroutine function module use
  implicit none only allocate deallocate attributes global host]])

local function lex_small(language, text, put)
  local at = 1
  local before = ' '
  while at <= #text do
    local letter = text:sub(at, at)
    local piece = text:match('^[%a_][%w_]*', at)
    local class
    if piece then
      class = language.words[language.any_case and piece:lower() or piece]
    elseif letter == language.comment and
           (before:match('%s') or letter == '!') then
      class, piece = 'co', text:match('^[^\n]*', at)
    elseif letter == '"' or letter == "'" then
      class, piece = 'st', quoted(text, at, letter)
    elseif letter:match('%d') then
      class, piece = 'dv', text:match('^[%d%.]+', at)
    else
      piece = text:match('^%s+', at) or letter
    end
    put(class, piece)
    at = at + #piece
    before = piece:sub(-1)
  end
end

-- ---- HTML ------------------------------------------------------------------------

local lexers = {ptx = lex_ptx}

local function lexer(language)
  if small[language] then
    return function(text, put) lex_small(small[language], text, put) end
  end
  if (language == 'c' or language == 'cuda') and not lexers[language] then
    local words = words_of_syntax('cuda.xml')
    lexers.c = function(text, put) lex_c(words, text, put) end
    lexers.cuda = lexers.c
  end
  return lexers[language]
end

local entities = {['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;'}

-- The lines of a text as HTML, or nil if the language has no colours here.
function M.lines(language, text)
  local lex = lexer(language)
  if not lex then return nil end
  local lines, line = {}, {}
  local function add(class, piece)
    if piece == '' then return end
    piece = piece:gsub('[&<>]', entities)
    line[#line + 1] = class and '<span class="' .. class .. '">' .. piece ..
                      '</span>' or piece
  end
  lex(text, function(class, piece)
    local from = 1
    local stop = piece:find('\n', 1, true)
    while stop do
      add(class, piece:sub(from, stop - 1))
      lines[#lines + 1] = table.concat(line)
      line, from = {}, stop + 1
      stop = piece:find('\n', from, true)
    end
    add(class, piece:sub(from))
  end)
  lines[#lines + 1] = table.concat(line)
  return lines
end

return M
