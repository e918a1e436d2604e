-- Code on a page: its colours, what is new in it, long old stretches folded, and
-- the numbers of its callouts.
--
-- A block comes with `data-changed` ("2,5-7", lines that are new against the
-- version before), `data-words` ("5:3-8", letters of such a line) and
-- `data-callouts` ("3:1", line and number); see filters/lib/changes.lua. Where a
-- listing can be stepped, `data-hits` ("3:10,32", how often line 3 ran, and for
-- how many lanes; filters/lib/scenes.lua) is for readers without scripts.

local escape = require('escape').html
local highlight = require 'highlight'

local M = {}

-- A listing of more lines than `long` folds stretches of old lines that would
-- leave out at least `worth`, and keeps `around` of them next to what is new.
local long, worth, around = 25, 6, 2
-- Where more than this share of the lines is new, all of them look alike.
local most_new = 0.75

-- The marks of a block, by line: `new` (true), `words` ({{3, 8}, …}), `callouts`
-- (a number), `hits` ({times, lanes}).
function M.marks(block)
  local marks = {new = {}, words = {}, callouts = {}, hits = {}}
  local function each(name, pattern, put)
    for line, a, b in (block.attributes[name] or ''):gmatch(pattern) do
      put(tonumber(line), a, b)
    end
  end
  each('data-callouts', '(%d+):(%d+)', function(line, n)
    marks.callouts[line] = n
  end)
  each('data-hits', '(%d+):(%d+),([%d.]+)', function(line, n, lanes)
    marks.hits[line] = {n, lanes}
  end)
  local lines, n_full = {}, 0
  each('data-changed', '(%d+)%-?(%d*)', function(first, last)
    for line = first, tonumber(last) or first do lines[#lines + 1] = line end
  end)
  for _ in block.text:gmatch('[^\n]*%S[^\n]*') do n_full = n_full + 1 end
  if #lines > most_new * n_full then return marks end
  for _, line in ipairs(lines) do marks.new[line] = true end
  each('data-words', '(%d+):(%S*)', function(line, ranges)
    marks.words[line] = {}
    for first, last in ranges:gmatch('(%d+)%-(%d+)') do
      table.insert(marks.words[line], {tonumber(first), tonumber(last)})
    end
  end)
  return marks
end

-- Puts <mark> around letters of a line of HTML. A mark ends before a tag and
-- begins anew after it, so that the two nest.
local function mark_letters(line, ranges)
  local out, column, at, next_range, open = {}, 0, 1, 1, false
  local function close()
    if open then out[#out + 1] = '</mark>' end
    open = false
  end
  while at <= #line do
    local tag = line:match('^<[^>]*>', at)
    if tag then
      close()
      out[#out + 1] = tag
      at = at + #tag
    else
      local letter = line:match('^&[#%w]+;', at) or
                     line:match('^' .. utf8.charpattern, at)
      column = column + 1
      local range = ranges[next_range]
      if range and column > range[2] then
        close()
        next_range = next_range + 1
        range = ranges[next_range]
      end
      if range and column >= range[1] and not open then
        out[#out + 1] = '<mark>'
        open = true
      end
      out[#out + 1] = letter
      at = at + #letter
    end
  end
  close()
  return table.concat(out)
end

local function attribute(block, name)
  local value = block.attributes[name]
  if not value or value == '' then return '' end
  return string.format(' %s="%s"', name, escape(value))
end

-- The stretches of old lines to fold: {first, last} in order.
local function folds(n_lines, marks)
  local list = {}
  if n_lines <= long or next(marks.new) == nil then return list end
  local function stays(line) return marks.new[line] or marks.callouts[line] end
  local first = 1
  while first <= n_lines do
    if stays(first) then
      first = first + 1
    else
      local last = first
      while last < n_lines and not stays(last + 1) do last = last + 1 end
      local from = first == 1 and 2 or first + around
      local to = last == n_lines and n_lines - 1 or last - around
      if to - from + 1 >= worth then list[#list + 1] = {from, to} end
      first = last + 1
    end
  end
  return list
end

-- The lines with their marks.
local function marked(lines, marks, name)
  local made = {}
  for i, line in ipairs(lines) do
    if marks.new[i] then
      if marks.words[i] then line = mark_letters(line, marks.words[i]) end
      line = '<span class="new">' .. line .. '</span>'
    end
    local n = marks.callouts[i]
    if n then
      line = string.format('<span class="callout" id="callout-%s-%s" ' ..
        'data-n="%s" role="img" aria-label="%s"></span>%s', name, n, n, n,
        line)
    end
    if marks.hits[i] then
      line = string.format('<span class="hits" data-n="%s × %s"></span>%s',
                           marks.hits[i][1], marks.hits[i][2], line)
    end
    made[i] = line
  end
  return made
end

-- The lines in one block, or in several with folded ones between.
local function with_folds(language, is_changed, lines, places)
  local parts, from = {}, 1
  local function add(first, last)
    parts[#parts + 1] = string.format('<pre class="sourceCode %s"><code ' ..
      'class="sourceCode %s%s">%s</code></pre>', language, language,
      is_changed and ' since' or '', table.concat(lines, '\n', first, last))
  end
  for _, place in ipairs(places) do
    local first, last = place[1], place[2]
    add(from, first - 1)
    parts[#parts + 1] = string.format(
      '<details class="fold" open><summary>%d lines as before</summary>',
      last - first + 1)
    add(first, last)
    parts[#parts + 1] = '</details>'
    from = last + 1
  end
  add(from, #lines)
  return table.concat(parts, '\n')
end

-- A code block as HTML, or nil if its language has no colours here.
function M.html(block)
  local language = block.classes[1] or ''
  local lines = highlight.lines(language, block.text)
  if not lines then return nil end
  local marks = M.marks(block)
  local name = (block.attributes['data-label'] or ''):gsub('^lst:', '')
  return pandoc.RawBlock('html', string.format(
    '<div class="sourceCode"%s%s%s style="--lines: %d" tabindex="0" ' ..
    'role="group"%s data-scrolls="">%s</div>', attribute(block, 'data-source'),
    attribute(block, 'data-first-line'), attribute(block, 'data-changed'),
    #lines, attribute(block, 'aria-label'),
    with_folds(language, next(marks.new) ~= nil, marked(lines, marks, name),
               folds(#lines, marks))))
end

return M
