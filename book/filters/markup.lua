-- Classes and attributes that no filter knows are misspelt ones: `digit=0`
-- would be as good as nothing, and nobody would see it.

local diagnostics = require 'diagnostics'
local callouts = require 'callouts'
local source = require 'source'
local suggest = require 'suggest'

local claim = {'holds', 'otherwise'}

-- What values.lua leaves for later filters.
local internal = {name = true, checked = true}

-- What may be written: element → class → attributes.
local known = {
  Div = {
    listing = {'source', 'tag', 'run', 'previous',
               table.unpack(callouts.attributes)},
    output = {'source', 'from', 'to', 'run'},
    ['result-table'] = {'source', 'columns', 'where', 'machine'},
    exercise = {'title'}, judged = {'title'}, solution = {}, claim = claim,
  },
  Span = {
    claim = claim, term = {'of'}, callout = {'of'},
    -- pandoc's own
    smallcaps = {}, underline = {}, mark = {}, nocase = {},
  },
  Code = {
    result = {'digits', 'significant', 'scale', 'unit', 'percent'},
    c = {}, cuda = {}, ptx = {}, sass = {}, bash = {}, console = {},
  },
}

local function check_attributes(el, class, allowed)
  for key in pairs(el.attributes) do
    if not pandoc.List(allowed):includes(key) and not internal[key] then
      diagnostics.error(key .. '=',
        string.format("unknown attribute '%s' of '%s'", key, class),
        suggest.among(key, allowed, 'it has:'))
    end
  end
end

local function check(el)
  local classes = known[el.t]
  for _, class in ipairs(el.classes) do
    if classes[class] then
      check_attributes(el, class, classes[class])
    elseif not internal[class] then
      diagnostics.error(table.pack('.' .. class, class, source.words(el)),
        string.format("unknown class '%s'", class),
        suggest.among(class, suggest.keys(classes), 'there are:'))
    end
  end
end

local figure_classes = pandoc.List {'ladder', 'margin'}

local function image(el)
  check_attributes(el, 'a figure', {'alt'})
  for _, class in ipairs(el.classes) do
    if not figure_classes:includes(class) then
      diagnostics.error('.' .. class,
                        string.format("unknown class '%s' of a figure", class),
                        suggest.among(class, figure_classes, 'there are:'))
    end
  end
end

-- Outside of a code span a result is text with a class.
local function span(el)
  if el.classes:includes('result') then
    diagnostics.error(pandoc.utils.stringify(el.content),
                      'a result that is no code span',
                      'write it between backquotes: `query`{.result}')
    return
  end
  check(el)
end

-- HTML is lost on paper, LaTeX on the page; code in either would be typed by
-- hand. Comments are for those who write.
local function raw(el)
  if el.text:match('^<!%-%-.*%-%->%s*$') then return {} end
  diagnostics.error(el.text:match('[^\n]+'),
                    'raw ' .. el.format .. ' in a chapter',
                    'say it in Markdown: HTML and print need the same')
end

-- A heading is a link to itself, and stands in the contents of the page.
local function heading(el)
  el:walk{Cite = function(cite)
    diagnostics.error(table.pack('@' .. cite.citations[1].id, source.words(el)),
                      'a citation in a heading',
                      'cite it in the text below the heading')
  end}
end

return {{RawBlock = raw, RawInline = raw, Div = check, Span = span,
         Code = check, Image = image, Header = heading}}
