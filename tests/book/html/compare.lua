-- The document as book/pages/html.lua writes it against pandoc's own writer:
-- differences on standard error, status 1. With `-M all=true` it must have been
-- written as one piece; with `-M chain=true` all filters of the book come before;
-- `-M writer=FOLDER` has another html.lua.

local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
local book = here .. '/../../../book'
package.path = book .. '/pages/?.lua;' .. book .. '/filters/?.lua;' ..
               book .. '/filters/lib/?.lua;' .. package.path

local real = pandoc
local options = {wrap_text = 'wrap-preserve', html_math_method = 'mathml'}
if PANDOC_VERSION >= '3' then options.wrap_text = 'preserve' end

local function html_of(tree, document)
  local html = real.write(tree.write(document), 'html5', options)
  -- Which brackets stretch is decided, and tested, elsewhere.
  return (html:gsub('stretchy="%a+"', ''))
end

local function first_difference(a, b)
  local line = 0
  local other = b:gmatch('([^\n]*)\n?')
  for mine in a:gmatch('([^\n]*)\n?') do
    line = line + 1
    local theirs = other()
    if mine ~= theirs then
      return string.format('line %d of the HTML:\n  pandoc  %s\n  html.lua %s',
                           line, (theirs or '(none)'):sub(1, 400),
                           mine:sub(1, 400))
    end
  end
end

local function compare(document, all)
  local tree, html = require 'tree', require 'html'
  local pandocs = html_of(tree, document)
  document = html.written(document)
  if all and #document.blocks ~= 1 then
    local left = {}
    for _, block in ipairs(document.blocks) do
      if block.t ~= 'RawBlock' then left[#left + 1] = block.t end
    end
    io.stderr:write('left to pandoc: ', table.concat(left, ', '), '\n')
    os.exit(1)
  end
  local ours = html_of(tree, document)
  if ours ~= pandocs then
    io.stderr:write(first_difference(ours, pandocs), '\n')
    os.exit(1)
  end
  io.stderr:write(#ours, ' bytes alike\n')
  return document
end

return {{Pandoc = function(doc)
  local stringify = real.utils.stringify
  if doc.meta.writer then
    package.path = stringify(doc.meta.writer) .. '/?.lua;' .. package.path
  end
  local all = stringify(doc.meta.all or '') == 'true'
  if stringify(doc.meta.chain or '') ~= 'true' then
    local tree = require 'tree'
    tree.install()
    compare(tree.read(doc), all)
    return real.Pandoc {}
  end
  local chain, page = require 'chain', require 'page'
  chain.filter(function(document)
    document = page.dressed(document, true)
    return compare(document, all)
  end)[1].Pandoc(doc)
  return real.Pandoc {}
end}}
