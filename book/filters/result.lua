-- `` `slug/experiment.column[key=value]`{.result digits=0 unit="GB/s"} ``: a
-- number out of a result file.  Walked from the top, in the order of the
-- text, so that in print the footnote stands at a source's first number.

local settings = require 'settings'
local inline_result = require 'inline_result'
local provenance = require 'provenance'

local boxes = {'listing', 'output', 'figure', 'result-table', 'table'}

local function in_box(el)
  return el:walk {Code = function(code)
    return inline_result.convert(code, true)
  end}
end

-- A block that takes no footnote: marks inside, the notes behind it.
local function boxed(el)
  local changed = in_box(el)
  local notes = provenance.flush()
  if notes == '' then return changed, false end
  return {changed, pandoc.RawBlock('latex', notes)}, false
end

local function div(el)
  for _, class in ipairs(boxes) do
    if el.classes:includes(class) then return boxed(el) end
  end
end

local function code(el) return inline_result.convert(el, false) end

local filter = {traverse = 'topdown', Code = code, Div = div, Table = boxed,
                Header = boxed}

return {{Pandoc = function(doc)
  return doc:walk(settings.latex and filter or {Code = code})
end}}
