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

-- The names of a chapter's experiments and the origin of each; false if it has
-- none.
local experiments = diagnostics.once(function(slug)
  local text = dependencies.read(string.format('%s/bench/experiments/%s.tsv',
                                               settings.build, slug))
  if not text then
    -- Without the list every result would pass for one of the GPU's.
    local source = string.format('%s/bench/%s/experiments', settings.root, slug)
    if not dependencies.is_there(source) then return false end
    diagnostics.throw(string.format("no list of the experiments of '%s' in " ..
                                    'the build folder', slug),
                      'meson setup --reconfigure build')
  end
  local list = {names = {}, origin = {}}
  for name, origin in text:gmatch('([^\t\n]+)\t[^\t\n]*\t([^\n]*)\n') do
    list.names[#list.names + 1] = name
    list.origin[name] = origin ~= '' and origin or nil
  end
  return list
end)

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
