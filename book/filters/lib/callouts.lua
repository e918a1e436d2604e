-- Numbered callouts: `callout1="text"` of a listing marks the line that holds
-- this text, and `[1]{.callout}` in a sentence points at it.

local diagnostics = require 'diagnostics'

local M = {}
M.most = 9

-- label → number → {used = …}, of the listings that were built
M.of = {}

-- The attributes that a listing may have.
M.attributes = {}
for n = 1, M.most do M.attributes[n] = 'callout' .. n end

function M.id(label, n)
  return 'callout-' .. label:gsub('^lst:', '') .. '-' .. n
end

-- "text#2" is the second line that holds the text.
local function line_of(wanted, lines)
  local text, nth = wanted:match('^(.+)#(%d+)$')
  text, nth = text or wanted, tonumber(nth)
  local found = {}
  for i, line in ipairs(lines) do
    if line.text:find(text, 1, true) then found[#found + 1] = i end
  end
  if #found == 0 then
    diagnostics.throw(string.format("no line of the listing holds '%s'", text),
                      'copy a piece of the line that the callout is for')
  end
  if not nth and #found > 1 then
    diagnostics.throw(
      string.format("%d lines of the listing hold '%s'", #found, text),
      string.format('write more of the line, or %s#1 to %s#%d', text, text,
                    #found))
  end
  if nth and not found[nth] then
    diagnostics.throw(
      string.format("the listing has no line number %d that holds '%s'", nth,
                    text), 'there are ' .. #found)
  end
  return found[nth or 1]
end

-- "3:1 7:2": callout 1 is at line 3, callout 2 at line 7. nil without any.
function M.places(label, attributes, lines)
  local parts, own, last = {}, {}, 0
  for n, name in ipairs(M.attributes) do
    local wanted = attributes[name]
    if wanted then
      if n ~= last + 1 then
        diagnostics.throw(string.format('%s without callout%d', name, last + 1),
                          'number callouts from 1 on')
      end
      last = n
      parts[n] = line_of(wanted, lines) .. ':' .. n
      own[n] = {}
    end
  end
  if last == 0 then return nil end
  M.of[label] = own
  return table.concat(parts, ' ')
end

return M
