-- Last in the chain: where the numbers come from, then the verdict.

local settings = require 'settings'
local diagnostics = require 'diagnostics'
local dependencies = require 'dependencies'
local provenance = require 'provenance'

return {{Pandoc = function(doc)
  diagnostics.stop_if_any()
  dependencies.write()
  local doubtful = provenance.doubtful_page()
  if doubtful then doc.blocks:insert(1, doubtful) end
  if not settings.latex then doc.blocks:insert(provenance.section()) end
  return doc
end}}
