-- Fills "Get started": how to get the code, which book/repository says.

local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
package.path = here .. '/?.lua;' .. package.path

local fill = require 'fill'
local read_repository = require 'repository'
local stringify = pandoc.utils.stringify

local function console(text)
  return pandoc.CodeBlock(text, pandoc.Attr('', {'console'}))
end

-- The folder that git makes of an address.
local function folder_of(address)
  return (address:gsub('/+$', ''):gsub('%.git$', ''):match('([^/:]+)$'))
end

local function get_code(repository)
  if repository.clone then
    return pandoc.Blocks{
      fill.para('The code of the course is a Git repository, and this book is '
        .. 'built from it:'),
      console(string.format('$ git clone %s\n$ cd %s', repository.clone,
                            folder_of(repository.clone)))}
  end
  local blocks = pandoc.read([[
This copy of the book names no address for the code. You need the folder that it was
built from: the one with the program `course` and the folders `chapters` and `code`.
If you built these pages, you have it; otherwise ask for it where you got them. Then
open a terminal in that folder:
]], 'markdown').blocks
  blocks:insert(console('$ cd the/folder/you/got'))
  return blocks
end

function Pandoc(doc)
  local repository = read_repository(stringify(doc.meta['book-repository']))
  return fill.fill(doc, {['get-code'] = function()
    return get_code(repository)
  end})
end
