-- Text for raw HTML and raw LaTeX.

local M = {}

local html = {['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;',
              ['"'] = '&quot;'}

function M.html(text) return (text:gsub('[&<>"]', html)) end

-- The text that M.html made this of.
function M.unhtml(text)
  return (text:gsub('&lt;', '<'):gsub('&gt;', '>'):gsub('&quot;', '"')
              :gsub('&amp;', '&'))
end

local latex = {
  ['\\'] = '\\textbackslash{}', ['{'] = '\\{', ['}'] = '\\}', ['$'] = '\\$',
  ['&'] = '\\&', ['#'] = '\\#', ['%'] = '\\%', ['_'] = '\\_',
  ['^'] = '\\textasciicircum{}', ['~'] = '\\textasciitilde{}',
}

-- Names may be of any length and without a space: a long word may be broken after
-- its signs (which stay), and else after so many letters. U+200B is the place.
local longest_word, longest_run = 16, 20

local function with_breaks(word)
  if (utf8.len(word) or #word) <= longest_word then return word end
  local parts, run = {}, 0
  for letter in word:gmatch('[\0-\x7F\xC2-\xFD][\x80-\xBF]*') do
    run = run + 1
    parts[#parts + 1] = letter
    if letter:match('[_/=,;:.|+-]') or run == longest_run then
      parts[#parts + 1] = '\u{200B}'
      run = 0
    end
  end
  return (table.concat(parts):gsub('\u{200B}$', ''))
end

function M.breaks(text) return (text:gsub('[^ ]+', with_breaks)) end

-- With such places if it is for print.
function M.for_print(text)
  return FORMAT:match('latex') and M.breaks(text) or text
end

-- Spaces and signs that not every text font has are set as commands.
function M.latex(text)
  text = text:gsub('[\\{}$&#%%_^~]', latex):gsub('%-%-', '-{}-')
  return (text:gsub('\u{202F}', '\\,'):gsub('\u{2212}', '\\ensuremath{-}')
              :gsub('\u{00A0}', '~'):gsub('\u{200B}', '\\allowbreak{}'))
end

return M
