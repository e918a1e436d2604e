-- Text for raw HTML and raw LaTeX.

local M = {}

local html = {['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;',
              ['"'] = '&quot;'}

function M.html(text) return (text:gsub('[&<>"]', html)) end

local latex = {
  ['\\'] = '\\textbackslash{}', ['{'] = '\\{', ['}'] = '\\}', ['$'] = '\\$',
  ['&'] = '\\&', ['#'] = '\\#', ['%'] = '\\%', ['_'] = '\\_',
  ['^'] = '\\textasciicircum{}', ['~'] = '\\textasciitilde{}',
}

-- Spaces and signs that not every text font has are set as commands.
function M.latex(text)
  text = text:gsub('[\\{}$&#%%_^~]', latex):gsub('%-%-', '-{}-')
  return (text:gsub('\u{202F}', '\\,'):gsub('\u{2212}', '\\ensuremath{-}')
              :gsub('\u{00A0}', '~'))
end

return M
