-- The chapter's own text.  pandoc's document tree has no line numbers, so a
-- message finds its line by searching for the text that it complains about.

local settings = require 'settings'

local M = {}
local text
local seen = {}

-- All of it, with Unix line ends.
function M.text()
  if not text then
    local file = io.open(settings.chapter_file, 'rb')
    text = file and file:read('a'):gsub('\r\n', '\n') or ''
    if file then file:close() end
  end
  return text
end

-- A code span may be broken over two lines: any white space matches any.
local function pattern(needle)
  local escaped = needle:gsub('[%^%$%(%)%%%.%[%]%*%+%-%?]', '%%%0')
  return (escaped:gsub('%s+', '%%s+'))
end

-- "@lst:copy" must not be found inside "@lst:copy_row".
local function whole(needle, last)
  return not needle:match('[%w_]$') or
         not text:match('^[%w_%-]', last + 1)
end

local function find(needle, nth)
  local plain = not needle:find('%s')
  local wanted, from, found = plain and needle or pattern(needle), 1, nil
  while nth > 0 do
    local first, last = M.text():find(wanted, from, plain)
    if not first then break end
    if whole(needle, last) then
      found = first
      nth = nth - 1
    end
    from = last + 1
  end
  return found
end

local function line_at(position)
  local _, count = text:sub(1, position - 1):gsub('\n', '\n')
  return count + 1
end

-- The line of the nth occurrence of `needle`; 1 if there is none.
function M.nth(needle, nth)
  local position = find(needle, nth)
  return position and line_at(position) or 1
end

-- The first words of some text, to find it by where it has no label.
function M.words(content)
  local words = pandoc.utils.stringify(content):match('^%w[%w ]*')
  return words and words:match('^(.-) *$')
end

-- The line of the first of `needles` that occurs: a text, or a list that
-- table.pack made, as some may be nil or false.  Asked again for the same text
-- it gives the next occurrence: filters ask in the order of the text.
function M.line(needles)
  if type(needles) == 'string' then needles = {needles} end
  for i = 1, needles.n or #needles do
    local needle = needles[i]
    if needle and needle ~= '' then
      seen[needle] = (seen[needle] or 0) + 1
      local position = find(needle, seen[needle])
      if position then return line_at(position) end
    end
  end
  return 1
end

return M
