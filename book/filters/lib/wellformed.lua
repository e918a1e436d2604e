-- What makes pandoc read a chapter otherwise than its author meant, and what
-- would then be reported as something else: bytes that are no UTF-8, a `:::`
-- that is never closed.  Looked for in the chapter's text before anything else;
-- after such a fault no other message would be true.

local diagnostics = require 'diagnostics'

local M = {}

-- Where each line begins and what it says, from the first.
local function each_line(text, visit)
  local number = 0
  for line in (text .. '\n'):gmatch('([^\n]*)\n') do
    number = number + 1
    visit(number, line)
  end
end

function M.check_encoding(path, text)
  if utf8.len(text) then return true end
  each_line(text, function(number, line)
    local length, at = utf8.len(line)
    if not length then
      diagnostics.at(path, number,
        string.format('byte %d of this line, 0x%02X, is not UTF-8', at,
                      line:byte(at)),
        'save the file as UTF-8; from Latin-1: iconv -f latin1 -t utf8')
    end
  end)
  return false
end

-- The mark that opens or closes a block of code, or nil.
local function code_fence(line)
  return line:match('^ ? ? ?(```+)') or line:match('^ ? ? ?(~~~+)')
end

local function report_open(path, entry, where)
  diagnostics.at(path, entry.line,
    "this ':::' is never closed: " .. entry.text,
    "end it by a line ':::' of its own" .. where)
end

-- Every `:::` that opens something is closed, and none closes nothing. A
-- heading within stands behind a block that was left open; the ':::' of such a
-- block may follow, and is not reported again.
function M.check_divs(path, text)
  local open, code, sound = {}, nil, true
  local n_reported = 0
  each_line(text, function(number, line)
    local fence = code_fence(line)
    if code then
      if fence and fence:sub(1, #code) == code and
         not line:match('[`~]%s*[^`~%s]') then
        code = nil
      end
      return
    elseif fence then
      code = fence
      return
    end
    local rest = line:match('^%s*:::+%s*(.-)%s*:*%s*$')
    if rest and rest ~= '' then
      open[#open + 1] = {line = number, text = line}
    elseif rest then
      if #open == 0 and n_reported > 0 then
        n_reported = n_reported - 1
      elseif #open == 0 then
        sound = false
        diagnostics.at(path, number, "this ':::' closes nothing",
                       'remove it, or open a block above it: ::: {.listing …}')
      end
      open[#open] = nil
    elseif #open > 0 and line:match('^#+ ') then
      sound = false
      report_open(path, open[#open],
                  string.format(', before the heading in line %d', number))
      n_reported = n_reported + #open
      open = {}
    end
  end)
  if #open > 0 then
    sound = false
    report_open(path, open[#open], '')
  end
  return sound
end

-- Stops with messages if the text of the file is not sound.
function M.check(path, text)
  local sound = M.check_encoding(path, text) and M.check_divs(path, text)
  if not sound then diagnostics.stop_if_any() end
end

return M
