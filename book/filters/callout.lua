-- `[1]{.callout}`: the number of a marked line of the listing above, or of the
-- listing named by `of="lst:name"`. Each marked line must be spoken of, and no
-- other.

local settings = require 'settings'
local diagnostics = require 'diagnostics'
local callouts = require 'callouts'
local caption = require 'caption'

local current

local function enter(div)
  if div.classes:includes('listing') then
    local label = div.attributes['data-label'] or div.identifier
    if callouts.of[label] then current = label end
  end
  return nil
end

local function span(el)
  if not el.classes:includes('callout') then return nil end
  local said = pandoc.utils.stringify(el.content)
  local label = el.attributes.of or current
  local place = '[' .. said .. ']{.callout'
  if not label then
    diagnostics.error(place, 'a callout without a listing above',
      'mark lines of a listing by callout1="…", or write of="lst:name"')
    return el.content
  end
  local own = callouts.of[label]
  local entry = own and own[tonumber(said)]
  if not entry then
    diagnostics.error(place,
      string.format("%s has no callout '%s'", label, said),
      own and 'it has 1 to ' .. #own or
      'mark its lines by callout1="…" and so on')
    return el.content
  end
  entry.used = true
  if settings.latex then
    return pandoc.RawInline('latex', '\\bookcallout{' .. said .. '}')
  end
  return pandoc.Link(said, '#' .. callouts.id(label, said), '', {
    class = 'callout', ['aria-label'] = string.format(
      'line %s of %s', said, caption.label(label) or 'the listing')})
end

local function check_all_used()
  for label, own in pairs(callouts.of) do
    for n, entry in ipairs(own) do
      if not entry.used then
        diagnostics.error('#' .. label,
          string.format('no sentence speaks of callout %d of %s', n, label),
          string.format('write [%d]{.callout} where it is explained', n))
      end
    end
  end
end

return {{Pandoc = function(doc)
  doc = doc:walk {traverse = 'topdown', Div = enter, Span = span}
  check_all_used()
  return doc
end}}
