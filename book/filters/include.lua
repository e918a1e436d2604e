-- `::: {.include source="device/README.md"}`: a manual that lies beside what
-- it describes is a chapter of the book as well, and is written once.  Its
-- title is left to the chapter; code in it is shown as in a terminal; links
-- to files of the project become their names.

local settings = require 'settings'
local diagnostics = require 'diagnostics'
local dependencies = require 'dependencies'
local sentence = require 'sentence'

local plain = {
  Header = function(header)
    if header.level == 1 then return {} end
  end,
  CodeBlock = function(block)
    if #block.classes == 0 then block.classes = {'console'} end
    return block
  end,
  Link = function(link)
    if not link.target:match('^%a+:') and not link.target:match('^#') then
      return link.content
    end
  end,
}

local function include(div)
  if not div.classes:includes('include') then return nil end
  local path = div.attributes.source
  if not path then
    diagnostics.error('.include', 'an include without source="…"',
                      'name the file, from the top of the project')
    return {}
  end
  local text = dependencies.read(settings.root .. '/' .. path)
  if not text then
    diagnostics.error(path, 'no file ' .. path, 'write it, or correct the path')
    return {}
  end
  local blocks = pandoc.read(text, 'markdown').blocks
  sentence.manual(path, text, blocks)
  return pandoc.walk_block(pandoc.Div(blocks), plain).content
end

return {{Div = include}}
