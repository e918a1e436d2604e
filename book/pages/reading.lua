-- How long a chapter takes to read, and what it shows: the line below its title.

local M = {}

-- Words a minute, and seconds for a line of code. An estimate for planning an
-- evening, rounded to five minutes; no one was timed.
local words_a_minute, seconds_a_line = 220, 1.5

local function plural(n, word)
  return n .. ' ' .. word .. (n == 1 and '' or 's')
end

-- "about 35 minutes · 3 programs, 26 listings" of a chapter that the filters of
-- the book are done with.
function M.of(doc)
  local n_words, n_lines, n_listings, n_programs = 0, 0, 0, 0
  local known = {}
  doc:walk {
    Str = function() n_words = n_words + 1 end,
    Div = function(div)
      if div.classes:includes('listing') then n_listings = n_listings + 1 end
    end,
    CodeBlock = function(block)
      local _, n_breaks = block.text:gsub('\n', '\n')
      n_lines = n_lines + n_breaks + 1
      local source = block.attributes['data-source'] or ''
      if source:match('^code/.*%.cu?$') and not known[source] then
        known[source] = true
        n_programs = n_programs + 1
      end
    end,
  }
  local minutes = n_words / words_a_minute + n_lines * seconds_a_line / 60
  local parts = {string.format('about %d minutes',
                               5 * math.max(1, math.floor(minutes / 5 + 0.5)))}
  local shown = {}
  if n_programs > 0 then shown[#shown + 1] = plural(n_programs, 'program') end
  if n_listings > 0 then shown[#shown + 1] = plural(n_listings, 'listing') end
  if #shown > 0 then parts[2] = table.concat(shown, ', ') end
  return table.concat(parts, ' · ')
end

return M
