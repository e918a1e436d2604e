-- Code on a page: its colours, what is new in it, long old stretches folded, and
-- the numbers of its callouts.
--
-- A block comes with `data-changed` ("2,5-7", lines that are new against the
-- version before), `data-words` ("5:3-8", letters of such a line) and
-- `data-callouts` ("3:1", line and number); see filters/lib/changes.lua. Where a
-- listing can be stepped, `data-hits` ("3:10,32", how often line 3 ran, and for
-- how many lanes; filters/lib/scenes.lua) is for readers without scripts.

local highlight = require 'highlight'

local M = {}

-- A listing of more lines than `long` folds stretches of old lines that would
-- leave out at least `worth`, and keeps `around` of them beside what is new.
local long, worth, around = 25, 6, 2
-- Where more than this share of the lines is new, all of them look alike.
local most_new = 0.75

local function escape(text)
  return (text:gsub('[&<>"]', {['&'] = '&amp;', ['<'] = '&lt;',
                               ['>'] = '&gt;', ['"'] = '&quot;'}))
end

-- "2,5-7" as a set of lines.
local function line_set(ranges)
  local set = {}
  for first, last in (ranges or ''):gmatch('(%d+)%-?(%d*)') do
    for line = tonumber(first), tonumber(last) or tonumber(first) do
      set[line] = true
    end
  end
  return set
end

-- "5:3-8,12-14 7:" as {[5] = {{3, 8}, {12, 14}}, [7] = {}}.
local function word_sets(text)
  local sets = {}
  for line, ranges in (text or ''):gmatch('(%d+):(%S*)') do
    local list = {}
    for first, last in ranges:gmatch('(%d+)%-(%d+)') do
      list[#list + 1] = {tonumber(first), tonumber(last)}
    end
    sets[tonumber(line)] = list
  end
  return sets
end

-- "3:1 7:2" as {[3] = "1", [7] = "2"}.
local function callout_numbers(text)
  local numbers = {}
  for line, n in (text or ''):gmatch('(%d+):(%d+)') do
    numbers[tonumber(line)] = n
  end
  return numbers
end

-- Puts <mark> around letters of a line of HTML. A mark ends before a tag and
-- begins anew behind it, so that the two nest.
function M.mark_letters(line, ranges)
  if #ranges == 0 then return line end
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
local function folds(n_lines, changed, kept)
  local list = {}
  if n_lines <= long or next(changed) == nil then return list end
  local first = 1
  while first <= n_lines do
    if changed[first] or kept[first] then
      first = first + 1
    else
      local last = first
      while last < n_lines and not changed[last + 1] and not kept[last + 1] do
        last = last + 1
      end
      local from = first == 1 and 2 or first + around
      local to = last == n_lines and n_lines - 1 or last - around
      if to - from + 1 >= worth then list[#list + 1] = {from, to} end
      first = last + 1
    end
  end
  return list
end

local function count(set)
  local n = 0
  for _ in pairs(set) do n = n + 1 end
  return n
end

local function full_lines(text)
  local n = 0
  for _ in text:gmatch('[^\n]*%S[^\n]*') do n = n + 1 end
  return n
end

-- "3:10,32 7:4,1.5" as {[3] = "10 × 32", [7] = "4 × 1.5"}.
local function hit_counts(text)
  local counts = {}
  for line, n, lanes in (text or ''):gmatch('(%d+):(%d+),([%d.]+)') do
    counts[tonumber(line)] = n .. ' × ' .. lanes
  end
  return counts
end

-- The lines with their marks.
local function marked(block, lines, changed, name)
  local hits = hit_counts(block.attributes['data-hits'])
  local words = word_sets(block.attributes['data-words'])
  local numbers = callout_numbers(block.attributes['data-callouts'])
  local made = {}
  for i, line in ipairs(lines) do
    if changed[i] then
      if words[i] then line = M.mark_letters(line, words[i]) end
      line = '<span class="new">' .. line .. '</span>'
    end
    local n = numbers[i]
    if n then
      line = string.format('<span class="callout" id="callout-%s-%s" ' ..
        'data-n="%s" role="img" aria-label="%s"></span>%s', name, n, n, n,
        line)
    end
    if hits[i] then
      line = string.format('<span class="hits" data-n="%s"></span>%s', hits[i],
                           line)
    end
    made[i] = line
  end
  return made, numbers
end

local function block_html(language, changed, lines, first, last)
  return string.format('<pre class="sourceCode %s"><code class="sourceCode ' ..
    '%s%s">%s</code></pre>', language, language, changed and ' since' or '',
    table.concat(lines, '\n', first, last))
end

-- The lines in one block, or in several with folded ones between.
local function with_folds(language, is_changed, lines, places)
  if #places == 0 then
    return block_html(language, is_changed, lines, 1, #lines)
  end
  local parts, from = {}, 1
  for _, place in ipairs(places) do
    local first, last = place[1], place[2]
    parts[#parts + 1] = block_html(language, is_changed, lines, from, first - 1)
    parts[#parts + 1] = string.format(
      '<details class="fold" open><summary>%d lines as before</summary>',
      last - first + 1)
    parts[#parts + 1] = block_html(language, is_changed, lines, first, last)
    parts[#parts + 1] = '</details>'
    from = last + 1
  end
  parts[#parts + 1] = block_html(language, is_changed, lines, from, #lines)
  return table.concat(parts, '\n')
end

-- A code block as HTML, or nil if its language has no colours here.
function M.html(block)
  local language = block.classes[1] or ''
  local lines = highlight.lines(language, block.text)
  if not lines then return nil end
  local changed = line_set(block.attributes['data-changed'])
  if count(changed) > most_new * full_lines(block.text) then changed = {} end
  local name = (block.attributes['data-label'] or ''):gsub('^lst:', '')
  local shown, numbers = marked(block, lines, changed, name)
  return pandoc.RawBlock('html', string.format(
    '<div class="sourceCode"%s%s%s style="--lines: %d" tabindex="0" ' ..
    'role="group"%s data-scrolls="">%s</div>', attribute(block, 'data-source'),
    attribute(block, 'data-first-line'), attribute(block, 'data-changed'),
    #lines, attribute(block, 'aria-label'),
    with_folds(language, next(changed) ~= nil, shown,
               folds(#lines, changed, numbers))))
end

return M
