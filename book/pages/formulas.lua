-- Formulas as MathML. Pandoc writes all formulas of a page in one call: a call
-- for each would cost a chapter with many formulas a tenth of a second.

local M = {}

-- Browsers give a stretchy bracket the height of the largest one. In a formula
-- that is a single line high it need not stretch.
function M.flat_brackets(tex, html)
  if not tex:find('[()]') or tex:find('\\%a*frac') or tex:find('\\sum') or
     tex:find('\\left') then
    return html
  end
  return (html:gsub('stretchy="true"', 'stretchy="false"'))
end

-- If texmath cannot read a formula, pandoc writes something other than <math>
-- and warns, but the warning does not name the chapter's line.
local function refuse(el)
  local mark = el.mathtype == 'DisplayMath' and '$$' or '$'
  require('diagnostics').error({el.text, el.text:match('^%s*(.-)%s*$')},
    'TeX that cannot be read: ' .. mark .. el.text .. mark,
    "pandoc's warning shows the place; MathML has no macros and no packages")
end

local function key_of(el) return el.mathtype .. ':' .. el.text end

-- The document with every formula as a piece of HTML.
function M.write(doc)
  local list, blocks, html = {}, {}, {}
  doc:walk {Math = function(el)
    local key = key_of(el)
    if html[key] then return end
    html[key] = ''
    list[#list + 1] = el
    blocks[#blocks + 1] = pandoc.Plain {el}
    blocks[#blocks + 1] = pandoc.RawBlock('html', '\1')
  end}
  if #list == 0 then return doc end
  local i = 0
  local written = pandoc.write(pandoc.Pandoc(blocks), 'html',
                               {html_math_method = 'mathml'})
  for one in written:gmatch('([^\1]*)\n\1\n?') do
    i = i + 1
    if not one:find('^<math.*</math>$') then refuse(list[i]) end
    html[key_of(list[i])] = M.flat_brackets(list[i].text, one)
  end
  require('diagnostics').stop_if_any()
  return doc:walk {Math = function(el)
    return pandoc.RawInline('html', html[key_of(el)])
  end}
end

return M
