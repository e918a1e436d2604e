-- The SVG that a page takes in, of a chart or of a drawing: it has title and
-- description of its own, follows the page's width and theme, and its ids are
-- the figure's.

local page = {}

function page.escape(text)
  return (text:gsub('&', '&amp;'):gsub('<', '&lt;'):gsub('>', '&gt;')
              :gsub('"', '&quot;'))
end

-- One decimal is a sixth of a pixel at the size a figure is shown.
function page.number(value)
  local text = string.format('%.1f', value):gsub('%.0$', '')
  return text == '-0' and '0' or text
end

-- Two drawings of a figure are on the page, of which its style sheet shows one.
function page.id(id, is_narrow) return is_narrow and id .. '-narrow' or id end

-- about: id, title, description, machines (which the figure shows, for
-- book/filters), narrow, box (its units, as viewBox), most (pixels across) and
-- stroke (what lines have that say nothing else). classes: name → {property,
-- value} of the classes in `body`, so that the page's theme can change colours.
function page.svg(about, classes, body)
  local id = page.id(about.id, about.narrow)
  local rules = {}
  for name, rule in pairs(classes) do
    rules[#rules + 1] = string.format('#%s .%s{%s:%s}\n', id, name, rule[1],
                                      rule[2])
  end
  table.sort(rules)
  return string.format(
    '<svg xmlns="http://www.w3.org/2000/svg" id="%s" data-machines="%s" ' ..
    'class="plot %s" viewBox="%s" role="img" ' ..
    'aria-labelledby="%s-title %s-desc" font-family="sans-serif" ' ..
    'fill="none"%s style="--max:%dpx">\n' ..
    '<title id="%s-title">%s</title>\n<desc id="%s-desc">%s</desc>\n' ..
    '<style>\n#%s{width:100%%;max-width:var(--max);height:auto;' ..
    'margin:0 auto}\n#%s text{font-family:var(--sans,"Warp Sans",' ..
    'Helvetica,Arial,sans-serif)}\n%s</style>\n%s</svg>\n',
    id, about.machines, about.narrow and 'narrow' or 'wide', about.box, id, id,
    about.stroke and ' stroke="' .. about.stroke .. '"' or '',
    math.floor(about.most), id, page.escape(about.title), id,
    page.escape(about.description), id, id, table.concat(rules), body)
end

return page
