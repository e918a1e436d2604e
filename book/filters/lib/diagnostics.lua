-- Errors are collected while the filters run and printed together, sorted by
-- place, before the build stops.

local settings = require 'settings'
local source = require 'source'

local M = {}
local found, known = {}, {}

function M.at(path, line, message, remedy)
  local text = string.format('%s:%d: error: %s\n', path, line, message)
  if remedy then
    text = text .. '  ' .. remedy:gsub('\n', '\n  ') .. '\n'
  end
  if known[text] then return end
  known[text] = true
  found[#found + 1] = {path = path, line = line, text = text, nth = #found}
end

-- An error in the chapter, at the line that holds one of `needles`.
function M.error(needles, message, remedy)
  M.at(settings.chapter, source.line(needles), message, remedy)
end

-- Lower modules do not know the chapter: they throw, and who called them
-- reports.  `path` and `line` are set when the fault lies in another file.
function M.throw(message, remedy, path, line)
  error({message = message, remedy = remedy, path = path, line = line}, 0)
end

-- Gives `fine`, and throws if it is false or nil.
function M.need(fine, ...)
  return fine or M.throw(...)
end

-- A fault in another file is reported once, however often the chapter meets
-- it.
function M.report(needles, fault)
  if type(fault) ~= 'table' or not fault.message then error(fault, 0) end
  if fault.path then
    local key = table.concat({fault.path, fault.line or 1, fault.message}, '\n')
    if known[key] then return end
    known[key] = true
    local cited = string.format('(cited at %s:%d)', settings.chapter,
                                source.line(needles))
    M.at(fault.path, fault.line or 1, fault.message,
         (fault.remedy and fault.remedy .. '\n' or '') .. cited)
  else
    M.error(needles, fault.message, fault.remedy)
  end
end

-- Runs f(…); a thrown fault is reported and nil returned.
function M.try(needles, f, ...)
  local ok, result = pcall(f, ...)
  if ok then return result end
  M.report(needles, result)
  return nil
end

-- f, called once for each argument: what it gave or threw is kept.
function M.once(f)
  local kept = {}
  return function(key)
    local entry = kept[key] or table.pack(pcall(f, key))
    kept[key] = entry
    if not entry[1] then error(entry[2], 0) end
    return entry[2]
  end
end

function M.stop_if_any()
  if #found == 0 then return end
  table.sort(found, function(a, b)
    if a.path ~= b.path then return a.path < b.path end
    if a.line ~= b.line then return a.line < b.line end
    return a.nth < b.nth
  end)
  for _, entry in ipairs(found) do io.stderr:write(entry.text) end
  io.stderr:flush()
  os.exit(1)
end

return M
