-- Run by labels.py coverage: every tag of the files that `-M book-sources=FILE`
-- lists must be among the uses that `-M book-uses=FILE` lists.

local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
package.path = here .. '/lib/?.lua;' .. package.path

local settings = require 'settings'
local diagnostics = require 'diagnostics'
local snippet = require 'snippet'

local function lines_of(meta, key)
  local list = {}
  for line in io.lines(pandoc.utils.stringify(meta[key])) do
    list[#list + 1] = line
  end
  return list
end

local function uses(meta)
  local used = {}
  for _, line in ipairs(lines_of(meta, 'book-uses')) do used[line] = true end
  return used
end

local function check_file(path, used)
  local ok, file = pcall(snippet.file, path)
  if not ok then
    diagnostics.at(file.path or path, file.line or 1, file.message, file.remedy)
    return 0
  end
  for _, tag in ipairs(file.order) do
    if not used[path .. '\t' .. tag] then
      diagnostics.at(path, file.tags[tag].first,
                     string.format("tag '%s' is cited by no chapter", tag),
                     'cite it with ::: {.listing …}, or remove its markers')
    end
  end
  return #file.order
end

return {{Pandoc = function(doc)
  settings.load(doc.meta)
  local used, count = uses(doc.meta), 0
  for _, path in ipairs(lines_of(doc.meta, 'book-sources')) do
    count = count + check_file(path, used)
  end
  diagnostics.stop_if_any()
  return pandoc.Pandoc {pandoc.Plain {pandoc.Str(
    string.format('%d tags, all cited', count))}}
end}}
