-- A typed number of five digits or more, "16 384", looks as results do: with
-- narrow spaces between its groups of three, at which no line ends.

local format = require 'format'

local function is_space(item)
  return item and (item.t == 'Space' or item.t == 'SoftBreak')
end

-- The digits with which `item` ends, if they may begin a number: at most
-- three, and nothing before them that they are a part of ("x64", "0.125").
local function opens(item)
  if item.t ~= 'Str' then return nil end
  local before, digits = item.text:match('^(.-)(%d+)$')
  if not digits or #digits > 3 or before:match('[%w.,]$') then return nil end
  return digits
end

-- Three digits and what follows them, if `item` begins so: "384" of "384,".
local function continues(item)
  if not item or item.t ~= 'Str' then return nil end
  local digits, rest = item.text:match('^(%d%d%d)(.*)$')
  if not digits or rest:match('^[%w]') then return nil end
  return digits, rest
end

-- From item i on: the number's text and the index of its last item.
local function number_at(items, i)
  local first = opens(items[i])
  if not first then return nil end
  local text, last, groups = items[i].text, i, 1
  local rest = ''
  while rest == '' and is_space(items[last + 1]) do
    local digits, tail = continues(items[last + 2])
    if not digits then break end
    text, rest = text .. format.narrow .. digits, tail
    last, groups = last + 2, groups + 1
  end
  if groups == 1 or #first + 3 * (groups - 1) < 5 then return nil end
  return text .. rest, last
end

local function group(items)
  local made, i = nil, 1
  while i <= #items do
    local text, last = number_at(items, i)
    if text and not made then
      made = pandoc.Inlines{}
      for k = 1, i - 1 do made[k] = items[k] end
    end
    if made then made[#made + 1] = text and pandoc.Str(text) or items[i] end
    i = (last or i) + 1
  end
  return made
end

return {{Inlines = group}}
