-- The chapters' experiments, as tools/results wrote them down when the build was
-- configured: build/bench/experiments/<slug>.tsv, with name, kind and origin of
-- each. The origin says whose a result is, where it is not the GPU's that its
-- head names:
--
--   computed      out of formulas, the same on every machine
--   documented    copied from what NVIDIA publishes
--   cpu, cpu+gpu  times of the host's CPU alone; times of both

local diagnostics = require 'diagnostics'
local settings = require 'settings'
local dependencies = require 'dependencies'

local M = {}
local known = {}

-- Without the list every result would pass for one of the GPU's.
local function refuse_missing(slug)
  local source = string.format('%s/bench/%s/experiments', settings.root, slug)
  local file = io.open(source, 'rb')
  if not file then return end
  file:close()
  diagnostics.throw(string.format("no list of the experiments of '%s' in the " ..
                                  'build folder', slug),
                    'meson setup --reconfigure build')
end

local function read(path, slug)
  local file = io.open(path, 'rb')
  if not file then return refuse_missing(slug) end
  dependencies.add(path)
  local list = {names = {}, origin = {}}
  for line in file:lines() do
    local name, origin = line:match('^([^\t]+)\t[^\t]*\t(.*)$')
    list.names[#list.names + 1] = name
    list.origin[name] = origin ~= '' and origin or nil
  end
  file:close()
  return list
end

local function experiments(slug)
  local path = string.format('%s/bench/experiments/%s.tsv', settings.build,
                             slug)
  if known[path] == nil then known[path] = read(path, slug) or false end
  return known[path]
end

-- Names of the chapter's experiments; nil if it has none.
function M.names(slug)
  local list = experiments(slug)
  return list and list.names or nil
end

-- 'computed', 'documented', 'cpu', 'cpu+gpu', or nil: measured on the GPU.
function M.of(slug, experiment)
  local list = experiments(slug)
  return list and list.origin[experiment] or nil
end

return M
