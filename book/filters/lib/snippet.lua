-- Regions of source files: lines `// begin tag` and `// end tag` (or with #)
-- around them.  Tags may nest but not cross; markers are not shown.

local settings = require 'settings'
local diagnostics = require 'diagnostics'
local dependencies = require 'dependencies'
local suggest = require 'suggest'

local M = {}
M.width = 80

local function throw(file, line, message, remedy)
  diagnostics.throw(message, remedy, file.path, line)
end

local function marker(line)
  local word, tag = line:match('^%s*//%s*(%l+)%s+(%S+)%s*$')
  if not word then word, tag = line:match('^%s*#%s*(%l+)%s+(%S+)%s*$') end
  if word == 'begin' or word == 'end' then return word, tag end
end

local function open_tag(file, stack, tag, number)
  if not tag:match('^%l[%l%d_]*$') then
    throw(file, number, string.format("tag '%s' is not snake_case", tag),
          'use small letters, digits and _')
  end
  if file.tags[tag] then
    throw(file, number,
          string.format("tag '%s' is there twice, first in line %d", tag,
                        file.tags[tag].first),
          'give one of the two another name')
  end
  file.tags[tag] = {first = number}
  file.order[#file.order + 1] = tag
  stack[#stack + 1] = tag
end

local function close_tag(file, stack, tag, number)
  local innermost = stack[#stack]
  if innermost == tag then
    stack[#stack] = nil
    file.tags[tag].last = number
    return
  end
  local known = file.tags[tag]
  if known and not known.last then
    throw(file, number,
          string.format("tag '%s' ends inside '%s', which began in line %d",
                        tag, innermost, file.tags[innermost].first),
          string.format("tags may nest but not cross: end '%s' first",
                        innermost))
  end
  throw(file, number, string.format("'end %s' without its beginning", tag),
        'put // begin ' .. tag .. ' before it, or remove it')
end

local function parse(file, text)
  local stack, number = {}, 0
  for line in (text:gsub('\n$', '') .. '\n'):gmatch('(.-)\r?\n') do
    number = number + 1
    local word, tag = marker(line)
    file.lines[number] = {text = line:gsub('%s+$', ''), marker = word}
    if word == 'begin' then
      open_tag(file, stack, tag, number)
    elseif word == 'end' then
      close_tag(file, stack, tag, number)
    end
  end
  local open = stack[#stack]
  if open then
    throw(file, file.tags[open].first,
          string.format("tag '%s' is never closed", open),
          'put // end ' .. open .. ' behind its last line')
  end
end

-- The file with its tags.  Files without markers have none.
M.file = diagnostics.once(function(path)
  local text = dependencies.read(settings.root .. '/' .. path)
  if not text then
    local slug = path:match('^bench/([^/]+)/')
    local remedy = 'correct source="…", the path from the top of the project'
    if slug then
      remedy = 'a run writes it: ./course bench ' .. slug .. '\nor ' .. remedy
    end
    diagnostics.throw('no file ' .. path, remedy)
  end
  local file = {path = path, lines = {}, tags = {}, order = {}}
  parse(file, text)
  return file
end)

-- Lines first … last as shown: no markers, and where a marker stood between
-- two empty lines only one of these.
local function visible(file, first, last)
  local list, dropped = {}, false
  for number = first, last do
    local line = file.lines[number]
    local previous = list[#list]
    if line.marker then
      dropped = true
    elseif not (dropped and line.text == '' and
                (not previous or previous.text == '')) then
      list[#list + 1] = {text = line.text, number = number}
      dropped = false
    end
  end
  while list[1] and list[1].text == '' do table.remove(list, 1) end
  while list[1] and list[#list].text == '' do list[#list] = nil end
  return list
end

local function dedent(list)
  local least = math.huge
  for _, line in ipairs(list) do
    if line.text ~= '' then least = math.min(least, #line.text:match('^ *')) end
  end
  for _, line in ipairs(list) do line.text = line.text:sub(least + 1) end
end

local function check(file, list)
  for _, line in ipairs(list) do
    if line.text:find('\t', 1, true) then
      throw(file, line.number, 'a tab in a line that the book shows',
            'indent with spaces')
    end
    local width = utf8.len(line.text)
    if not width then
      throw(file, line.number, 'this line is not UTF-8', 'save it as UTF-8')
    end
    if width > M.width then
      throw(file, line.number,
            string.format('%d columns; the printed page holds %d', width,
                          M.width), 'break the line')
    end
  end
end

-- The lines of one tag, or of the whole file: {text, number} each.
function M.lines(path, tag)
  local file = M.file(path)
  local first, last = 0, #file.lines + 1
  if tag then
    local region = file.tags[tag]
    if not region then
      diagnostics.throw(string.format("%s has no tag '%s'", path, tag),
                        suggest.among(tag, file.order, 'its tags are:'))
    end
    first, last = region.first, region.last
  end
  local list = visible(file, first + 1, last - 1)
  if #list == 0 then
    diagnostics.throw(string.format("%s%s holds no line", path,
                                    tag and " tag '" .. tag .. "'" or ''),
                      'put its markers around some code')
  end
  check(file, list)
  dedent(list)
  return list
end

function M.text(list)
  local texts = pandoc.List(list):map(function(line) return line.text end)
  return table.concat(texts, '\n')
end

return M
