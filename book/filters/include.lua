-- `::: {.include source="device/README.md"}`: a manual that lies beside what
-- it describes is part of a chapter as well, and is written once.  Its title
-- is left to the chapter, and so are lists of nothing but links, which are a
-- file's contents; code in it is shown as in a terminal; links to files of
-- the project become their names.

local settings = require 'settings'
local diagnostics = require 'diagnostics'
local dependencies = require 'dependencies'
local sentence = require 'sentence'

local function is_link(item)
  return #item == 1 and #item[1].content == 1 and item[1].content[1].t == 'Link'
end

local contents = {
  BulletList = function(list)
    for _, item in ipairs(list.content) do
      if not is_link(item) then return nil end
    end
    return {}
  end,
}

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
  local manual = pandoc.walk_block(pandoc.Div(blocks), contents)
  return pandoc.walk_block(manual, plain).content
end

return {{Div = include}}
