-- The listings of this chapter by the name of the version that they show, which
-- is their tag: a ladder's bars lead to them.

local M = {}

-- tag → label of the first listing that shows it
M.listing = {}

function M.add(tag, label)
  if tag and not M.listing[tag] then M.listing[tag] = label end
end

-- "two phases", as a figure writes the version two_phases.
function M.of_text(text)
  return M.listing[(text:gsub('^%s+', ''):gsub('%s+$', ''):gsub(' ', '_'))]
end

return M
