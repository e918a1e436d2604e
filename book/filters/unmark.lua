-- The marks of sentences (`.definition` …) are for those who write: readers
-- do not see them.  What is then an empty shell goes, too.

local sentences = require 'sentences'

local is_mark = {}
for _, mark in ipairs(sentences.marks) do is_mark[mark] = true end

local function unmark(el)
  local kept = pandoc.List()
  for _, class in ipairs(el.classes) do
    if not is_mark[class] then kept:insert(class) end
  end
  if #kept == #el.classes then return nil end
  if el.classes:includes('arithmetic') then el.attributes.holds = nil end
  el.classes = kept
  if #kept == 0 and el.identifier == '' then return el.content end
  return el
end

return {{Span = unmark, Div = unmark}}
