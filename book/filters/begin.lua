-- First in the chain: where everything is, that the chapter's text is sound, and
-- that its names agree.

local settings = require 'settings'
local diagnostics = require 'diagnostics'
local source = require 'source'
local wellformed = require 'wellformed'

local function begin(doc)
  settings.load(doc.meta)
  wellformed.check(settings.chapter, source.text())
  if settings.file_slug and settings.slug ~= settings.file_slug then
    diagnostics.error('slug:',
      string.format("slug '%s', but the file is named for '%s'",
                    settings.slug, settings.file_slug),
      'make them equal: the slug joins chapter, code, bench and figures')
  end
end

return {{Pandoc = begin}}
