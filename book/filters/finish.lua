-- Last in the chain: where the numbers come from, then the verdict.

local settings = require 'settings'
local diagnostics = require 'diagnostics'
local dependencies = require 'dependencies'
local provenance = require 'provenance'

return {{Pandoc = function(doc)
  diagnostics.stop_if_any()
  dependencies.write()
  if settings.latex then return nil end
  doc.blocks:insert(provenance.section())
  return doc
end}}
