-- Every file that a page was made from, for Ninja: `-M book-depfile=FILE`.

local settings = require 'settings'

local M = {}
local files, known = {}, {}

function M.add(path)
  local full = settings.absolute(path)
  if known[full] then return end
  known[full] = true
  files[#files + 1] = full
end

-- The text of a file that the page is made from; nil if there is none.
function M.read(path)
  local file = io.open(path, 'rb')
  if not file then return nil end
  local text = file:read('a')
  file:close()
  if text then M.add(path) end
  return text
end

function M.is_there(path)
  local file = io.open(path, 'rb')
  return file ~= nil and file:close()
end

-- Ninja knows what it builds by the path from the build folder.
local function ninja_path(full)
  local prefix = settings.build .. '/'
  if full:sub(1, #prefix) == prefix then full = full:sub(#prefix + 1) end
  return (full:gsub('[ #]', '\\%0'):gsub('%$', '$$'))
end

function M.write()
  if not settings.depfile then return end
  local parts = {ninja_path(settings.absolute(settings.target)) .. ':'}
  for _, full in ipairs(files) do parts[#parts + 1] = ninja_path(full) end
  local file = assert(io.open(settings.depfile .. '.tmp', 'wb'))
  file:write(table.concat(parts, ' \\\n  '), '\n')
  file:close()
  assert(os.rename(settings.depfile .. '.tmp', settings.depfile))
end

return M
