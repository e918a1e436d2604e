-- Colours for code on the pages: the same classes as pandoc's highlighter
-- (kw, dt, co …, see css/code.css), without the third of a page's time that
-- loading its two hundred languages takes. Words of CUDA C are those of
-- syntax/cuda.xml, which the print uses as well.
--
-- A language is a list of rules {pattern, class, where}. At each place the first
-- one applies whose pattern is found there, a string or a function that returns
-- the piece, and whose `where`, if it has one, holds for what the line has before
-- it. The class is a name, nil for plain text, a table of words, or a function
-- that calls put(class, piece) for the parts itself.

local M = {}

local here = debug.getinfo(1, 'S').source:match('^@(.*)/[^/]*$')

local function set(list, class, words)
  for word in words:gmatch('%S+') do list[word] = class end
  return list
end

local function line_before(text, at)
  local from = at
  while from > 1 and text:byte(from - 1) ~= 10 do from = from - 1 end
  return text:sub(from, at - 1)
end

local function piece_of(rule, text, at)
  local find = rule[1]
  local piece = type(find) == 'function' and find(text, at) or
                type(find) == 'string' and text:match(find, at)
  if piece and rule[3] and not rule[3](line_before(text, at)) then return nil end
  return piece
end

local function lex(rules, text, put)
  local at = 1
  while at <= #text do
    local piece, class
    for _, rule in ipairs(rules) do
      piece = piece_of(rule, text, at)
      if piece then
        class = rule[2]
        break
      end
    end
    piece = piece or text:sub(at, at)
    if type(class) == 'function' then
      class(piece, put)
    else
      put(type(class) == 'table' and class[piece] or
          type(class) == 'string' and class or nil, piece)
    end
    at = at + #piece
  end
end

local function is_blank(before) return not before:find('%S') end

-- A string or a letter, to its end or the line's.
local function quoted(mark)
  return function(text, at)
    if text:sub(at, at) ~= mark then return nil end
    local stop = at + 1
    while stop <= #text do
      local letter = text:sub(stop, stop)
      if letter == mark then break end
      if letter == '\n' then return text:sub(at, stop - 1) end
      stop = stop + (letter == '\\' and 2 or 1)
    end
    return text:sub(at, stop)
  end
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

-- To the end of the line, and past it after a backslash.
local function line_comment(text, at)
  if text:sub(at, at + 1) ~= '//' then return nil end
  local stop = at
  repeat
    stop = text:find('\n', stop + 1, true) or #text + 1
  until text:sub(stop - 1, stop - 1) ~= '\\' or stop > #text
  return text:sub(at, stop - 1)
end

-- "%5.2f\n": conversions and escapes stand out.
local in_string = {
  {'^[^\\%%]+', 'st'}, {'^\\[x0-7]%x*', 'sc'}, {'^\\.', 'sc'},
  {'^%%[-+ #0]*[%d*]*%.?[%d*]*[hlzjt]*[diouxXfFeEgGaAcsp%%]', 'sc'},
  {'^.', 'st'},
}

local function string_parts(piece, put) lex(in_string, piece, put) end

local function include_parts(piece, put)
  local head, gap, file = piece:match('^(#[ \t]*include)([ \t]*)(.*)$')
  put('pp', head)
  put(nil, gap)
  put('im', file)
end

local c_rules = {
  {'^[%s%(%)%[%]{},;:=%*&|!%+%-%%%?~%^]+'},
  {'^[%a_][%w_]*'},    -- its words come from the syntax file
  {line_comment, 'co'}, {'^/%*.-%*/', 'co'}, {'^/%*.*', 'co'},
  {quoted '"', string_parts}, {quoted "'", 'ch'},
  {"^0[xX][%x']+[uUlL]*", 'bn'},
  {"^%d[%d']*%.%d*[eE][-+]?%d+[fFlL]?", 'fl'},
  {'^%.%d+[eE][-+]?%d+[fFlL]?', 'fl'},
  {"^%d[%d']*[eE][-+]?%d+[fFlL]?", 'fl'},
  {"^%d[%d']*%.%d*[fFlL]?", 'fl'}, {'^%.%d+[fFlL]?', 'fl'},
  {"^%d[%d']*[uUlL]*", 'dv'},
  {'^#[ \t]*include[ \t]*[<"][^>"\n]*[>"]', include_parts, is_blank},
  {'^#[ \t]*%a*', 'pp', is_blank},
  {'^<<<', 'at'}, {'^>>>', 'at'},
}

-- ---- PTX ----------------------------------------------------------------------

local special_registers = set({}, 'va', [[%tid %ntid %ctaid %nctaid %laneid
  %warpid %clock %clock64 %smid %lanemask_eq %lanemask_le %lanemask_lt
  %lanemask_ge %lanemask_gt]])
local ptx_types = set({}, 'dt', [[.b8 .b16 .b32 .b64 .b128 .u8 .u16 .u32 .u64
  .s8 .s16 .s32 .s64 .f16 .f16x2 .bf16 .f32 .f64 .pred]])

-- A label, directive or opcode begins the line, but for a predicate.
local function begins(before)
  return is_blank(before) or before:find('^%s*@!?%%[%w_$]+%s*$') ~= nil
end

local ptx_rules = {
  {'^[%s,;:(%){}%[%]|+]+'},
  {'^@!?%%[%w_$]+', 'cf', is_blank},
  {'^[%a_$][%w_$]*:', 'at', begins},
  {'^%.[%l_]+', 'pp', begins}, {'^%l[%l%d_]*', 'kw', begins},
  {'^//[^\n]*', 'co'}, {'^"[^"\n]*"?', 'st'},
  {'^%%[%a_$][%w_$]*', special_registers}, {'^%.[%a_][%w_]*', ptx_types},
  {'^0[xXfFdD]%x+U?', 'bn'}, {'^[%a_$][%w_$]*'}, {'^%-?%d+U?', 'dv'},
}

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

local function after_space(before) return not before:find('%S$') end

local function small_rules(language)
  local words = language.words
  if language.any_case then
    words = setmetatable({}, {__index = function(_, word)
      return language.words[word:lower()]
    end})
  end
  return {
    {'^%s+'}, {'^[%a_][%w_]*', words},
    {'^' .. language.comment .. '[^\n]*', 'co',
     language.comment == '#' and after_space or nil},
    {quoted '"', 'st'}, {quoted "'", 'st'}, {'^%d[%d%.]*', 'dv'},
  }
end

-- ---- HTML ------------------------------------------------------------------------

local rules_of = {ptx = ptx_rules}

local function rules(language)
  if small[language] then
    rules_of[language] = rules_of[language] or small_rules(small[language])
  elseif (language == 'c' or language == 'cuda') and not rules_of.c then
    c_rules[2][2] = words_of_syntax('cuda.xml')
    rules_of.c, rules_of.cuda = c_rules, c_rules
  end
  return rules_of[language]
end

local entities = {['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;'}

-- The lines of a text as HTML, or nil if the language has no colours here.
function M.lines(language, text)
  local found = rules(language)
  if not found then return nil end
  local lines, line = {}, {}
  local function add(class, piece)
    if piece == '' then return end
    piece = piece:gsub('[&<>]', entities)
    line[#line + 1] = class and '<span class="' .. class .. '">' .. piece ..
                      '</span>' or piece
  end
  lex(found, text, function(class, piece)
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
