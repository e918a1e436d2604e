-- What is new in a snippet against the version before it: lines, and within a
-- line the words. Lines are compared first, without their indentation, then the
-- words of the lines between two equal ones, so that code which only moved to
-- another line or another depth counts as old. A function's own name is no
-- change: every version has another.

local M = {}

-- Beyond this many pairs of words a stretch of lines counts as new whole.
local most_pairs = 250000
-- A line with a greater share of new letters is new as a whole.
local most_share = 0.6

-- ---- Names of functions ------------------------------------------------------

local function names(lines)
  local list = {}
  for _, line in ipairs(lines) do
    if line.text:find('^[%a_.]') then
      for name in line.text:gmatch('([%a_][%w_]*)%s*%(') do
        if not name:find('^__') then
          list[#list + 1] = name
          break
        end
      end
    end
  end
  return list
end

-- The functions that a version defines, in their order, stand for each other.
local function stand_ins(old, new)
  local before, after = names(old), names(new)
  local of_old, of_new = {}, {}
  for i = 1, math.min(#before, #after) do
    of_old[before[i]] = of_old[before[i]] or '\1' .. i
    of_new[after[i]] = of_new[after[i]] or '\1' .. i
  end
  return of_old, of_new
end

-- ---- The longest common subsequence ------------------------------------------

-- Which items of `new` have a partner in `old`: index → index. Items are texts;
-- weight(text) says how much a pair of them is worth.
local function matched(old, new, weight)
  local first, last_old, last_new = 1, #old, #new
  local partner = {}
  while first <= last_old and first <= last_new and old[first] == new[first] do
    partner[first] = first
    first = first + 1
  end
  while last_old >= first and last_new >= first and
        old[last_old] == new[last_new] do
    partner[last_new] = last_old
    last_old, last_new = last_old - 1, last_new - 1
  end
  local n, m = last_old - first + 1, last_new - first + 1
  if n < 1 or m < 1 then return partner end
  if n * m > most_pairs then return partner end
  local best = {}
  for i = 0, n + 1 do best[i] = {} end
  for j = 1, m + 1 do best[n + 1][j] = 0 end
  for i = n, 1, -1 do
    local row, below = best[i], best[i + 1]
    row[m + 1] = 0
    for j = m, 1, -1 do
      local text = old[first + i - 1]
      local value = math.max(below[j], row[j + 1])
      if text == new[first + j - 1] then
        value = math.max(value, below[j + 1] + weight(text))
      end
      row[j] = value
    end
  end
  local i, j = 1, 1
  while i <= n and j <= m do
    local text = old[first + i - 1]
    if text == new[first + j - 1] and
       best[i][j] == best[i + 1][j + 1] + weight(text) then
      partner[first + j - 1] = first + i - 1
      i, j = i + 1, j + 1
    elseif best[i + 1][j] >= best[i][j + 1] then
      i = i + 1
    else
      j = j + 1
    end
  end
  return partner
end

-- ---- Words ----------------------------------------------------------------------

-- The words and signs of lines first … last, with their places in letters.
local function words_of(lines, first, last, stand_in)
  local list, texts = {}, {}
  for number = first, last do
    local line = lines[number].text
    local at, column = 1, 1
    while at <= #line do
      local blank = line:match('^%s+', at)
      if blank then
        at, column = at + #blank, column + #blank
      else
        local text = line:match('^[%w_]+', at) or
                     line:match('^' .. utf8.charpattern, at)
        local length = utf8.len(text) or #text
        texts[#texts + 1] = stand_in[text] or text
        list[#list + 1] = {line = number, from = column,
                           to = column + length - 1, text = text,
                           is_word = text:find('^[%w_]') ~= nil}
        at, column = at + #text, column + length
      end
    end
  end
  return list, texts
end

local function word_weight(text)
  return text:find('[%w_\1]') and 3 or 1
end

-- Signs that match by chance between two new words are new as well.
local function join(words, partner)
  local i = 1
  while i <= #words do
    local last, has_word = i, false
    while partner[i] and partner[last] and words[last + 1] and
          partner[last + 1] do
      last = last + 1
    end
    for k = i, last do has_word = has_word or words[k].is_word end
    local before, after = words[i - 1], words[last + 1]
    if partner[i] and not has_word and before and after and
       before.line == words[i].line and after.line == words[last].line then
      for k = i, last do partner[k] = nil end
    end
    i = last + 1
  end
end

-- A comma or a bracket at the end of new words says nothing.
local function trim(range, words)
  local index = range.index
  while index > range.first and words[index].text:find('^[;,)]') do
    index = index - 1
  end
  range.to = words[index].to
end

-- Adds what is new in the lines first … last of `new`, which old lines
-- old_first … old_last have given way to.
local function compare_words(found, old, old_first, old_last, new, first, last,
                             of_old, of_new)
  local _, old_texts = words_of(old, old_first, old_last, of_old)
  local words, texts = words_of(new, first, last, of_new)
  local partner = matched(old_texts, texts, word_weight)
  join(words, partner)
  local ranges, fresh, whole, lost = {}, {}, {}, {}
  for i, word in ipairs(words) do
    local line, length = word.line, word.to - word.from + 1
    whole[line] = (whole[line] or 0) + length
    local list = ranges[line] or {}
    ranges[line] = list
    if not partner[i] then
      fresh[line] = (fresh[line] or 0) + length
      local range = list[#list]
      if range and range.index == i - 1 then
        range.to, range.index = word.to, i
      else
        list[#list + 1] = {from = word.from, to = word.to, index = i,
                           first = i}
      end
    elseif i > 1 and words[i - 1].line == line and partner[i - 1] and
           partner[i] > partner[i - 1] + 1 then
      lost[line] = true
    end
  end
  for line = first, last do
    if fresh[line] or lost[line] then
      found.lines[#found.lines + 1] = line
      for _, range in ipairs(ranges[line]) do trim(range, words) end
      if (fresh[line] or 0) <= most_share * whole[line] then
        found.words[line] = ranges[line]
      end
    end
  end
end

-- ---- Lines ------------------------------------------------------------------------

local function line_texts(lines, stand_in)
  local list = {}
  for i, line in ipairs(lines) do
    list[i] = line.text:gsub('^%s+', ''):gsub('%s+', ' ')
                  :gsub('[%a_][%w_]*', stand_in)
  end
  return list
end

-- An empty line or a brace is a poor witness that two places are the same.
local function line_weight(text)
  if text == '' then return 1 end
  return text:find('[%w_\1]') and 8 or 2
end

-- What is new in `new`, a list of {text = …}: `lines`, in order, and for those
-- of which a part is new `words`, line → {from =, to =} in letters; that list is
-- empty where words were only taken away.
function M.between(old, new)
  local of_old, of_new = stand_ins(old, new)
  local partner = matched(line_texts(old, of_old), line_texts(new, of_new),
                          line_weight)
  local found = {lines = {}, words = {}}
  local i, before = 1, 0
  while i <= #new do
    if partner[i] then
      before = partner[i]
      i = i + 1
    else
      local last = i
      while last < #new and not partner[last + 1] do last = last + 1 end
      local behind = partner[last + 1] or #old + 1
      compare_words(found, old, before + 1, behind - 1, new, i, last, of_old,
                    of_new)
      i = last + 1
    end
  end
  return found
end

-- {1, 2, 3, 7} → "1-3,7"
function M.ranges(list)
  local parts, i = {}, 1
  while i <= #list do
    local last = i
    while list[last + 1] == list[last] + 1 do last = last + 1 end
    parts[#parts + 1] = last > i and list[i] .. '-' .. list[last] or
                        tostring(list[i])
    i = last + 1
  end
  return table.concat(parts, ',')
end

-- found.words → "3:5-8,12-14 7:": line 3, letters 5 to 8 and 12 to 14.
function M.word_ranges(found)
  local parts = {}
  for _, line in ipairs(found.lines) do
    local words = found.words[line]
    if words then
      local ranges = {}
      for i, range in ipairs(words) do
        ranges[i] = range.from .. '-' .. range.to
      end
      parts[#parts + 1] = line .. ':' .. table.concat(ranges, ',')
    end
  end
  return table.concat(parts, ' ')
end

return M
