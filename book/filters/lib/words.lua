-- Lists of words.

local M = {}

-- The words of a text, in order.
function M.list(text)
  local list = {}
  for word in text:gmatch('%S+') do list[#list + 1] = word end
  return list
end

-- Word → true.
function M.set(text)
  local set = {}
  for word in text:gmatch('%S+') do set[word] = true end
  return set
end

return M
