-- First in the chain: where everything is, and that the chapter's names agree.

local settings = require 'settings'
local diagnostics = require 'diagnostics'

local function begin(doc)
  settings.load(doc.meta)
  if settings.file_slug and settings.slug ~= settings.file_slug then
    diagnostics.error('slug:',
      string.format("slug '%s', but the file is named for '%s'",
                    settings.slug, settings.file_slug),
      'make them equal: the slug joins chapter, code, bench and figures')
  end
end

return {{Pandoc = begin}}
