-- Whose a result is, where it is not the GPU's that its head names. Lines of
-- bench/<slug>/experiments say so:
--
--   # computed: laws prefixes
--   # documented: limits
--   # cpu: same more
--   # cpu+gpu: offload
--
-- Out of formulas, the same on every machine; copied from what NVIDIA
-- publishes; times of the host's CPU alone; times of both.

local settings = require 'settings'
local diagnostics = require 'diagnostics'
local dependencies = require 'dependencies'

local M = {}

-- Which kinds of experiments each may be.
local kinds = {computed = 'table', documented = 'table', cpu = 'time',
               ['cpu+gpu'] = 'time'}
local known = {}

local function throw(path, line, message, remedy)
  diagnostics.throw(message, remedy, settings.shown(path), line)
end

-- Kinds of the experiments by their names, and the lines that name an origin.
local function parse(text)
  local kind_of, lines, number = {}, {}, 0
  for line in (text .. '\n'):gmatch('(.-)\r?\n') do
    number = number + 1
    local origin, names = line:match('^#%s*([%l+]+):%s*(.-)%s*$')
    if origin and kinds[origin] then
      lines[#lines + 1] = {origin = origin, names = names, number = number}
    else
      local name, kind = line:match('^%s*([%w_%-]+)%s+([%w_]+)')
      if name then kind_of[name] = kind end
    end
  end
  return kind_of, lines
end

local function read(path)
  local file = io.open(path, 'rb')
  if not file then return {} end
  local text = file:read('a')
  file:close()
  dependencies.add(path)
  local kind_of, lines = parse(text)
  local origins = {}
  for _, line in ipairs(lines) do
    for name in line.names:gmatch('%S+') do
      if not kind_of[name] then
        throw(path, line.number, string.format(
          "'%s' is %s, but there is no such experiment", name, line.origin),
          'correct the name')
      elseif origins[name] then
        throw(path, line.number, string.format(
          "'%s' is %s and %s", name, origins[name], line.origin),
          'name it once')
      elseif kind_of[name] ~= kinds[line.origin] then
        throw(path, line.number, string.format(
          "'%s' is %s, but its kind is '%s'", name, line.origin,
          kind_of[name]), 'only experiments of the kind ' ..
          kinds[line.origin] .. ' can be ' .. line.origin)
      end
      origins[name] = line.origin
    end
  end
  return origins
end

-- 'computed', 'documented', 'cpu', 'cpu+gpu', or nil: measured on the GPU.
function M.of(slug, experiment)
  local path = string.format('%s/bench/%s/experiments', settings.root, slug)
  known[path] = known[path] or read(path)
  return known[path][experiment]
end

return M
