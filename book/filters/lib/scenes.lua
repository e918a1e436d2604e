-- Which listings can be stepped: a scene, code/SLUG/steps/NAME.step, names its
-- listing in its first directive, `listing lst:…`.

local settings = require 'settings'
local dependencies = require 'dependencies'
local diagnostics = require 'diagnostics'

local M = {}

-- slug → label of a listing → SLUG/NAME
local known = {}

local function label_of(path)
  dependencies.add(path)
  for line in io.lines(path) do
    local label = line:match('^listing%s+(lst:%S+)')
    if label then return label end
  end
end

-- pandoc 2.17 cannot list a folder. Of one that is not there, nothing is listed.
local function list(folder)
  local files = {}
  local pipe = assert(io.popen("ls '" .. folder:gsub("'", "'\\''") ..
                               "' 2>/dev/null"))
  for file in pipe:lines() do files[#files + 1] = file end
  pipe:close()
  return files
end

local function read(slug)
  local folder = settings.root .. '/code/' .. slug .. '/steps'
  local found = {}
  for _, file in ipairs(list(folder)) do
    local name = file:match('^(.+)%.step$')
    local label = name and label_of(folder .. '/' .. file)
    if label and found[label] then
      diagnostics.throw(string.format('two scenes for %s: %s and %s/%s', label,
                                      found[label], slug, name),
                        'a listing has one panel: join them, or name another listing')
    end
    if label then found[label] = slug .. '/' .. name end
  end
  return found
end

-- "reduction/strided", or nil: the scene of a listing of code/SLUG/….
function M.of(label, source)
  local slug = source:match('^code/([^/]+)/')
  if not slug then return nil end
  known[slug] = known[slug] or read(slug)
  return known[slug][label]
end

return M
