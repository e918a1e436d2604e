-- The book's filters on a document as pandoc 3 reads it: an image alone in a
-- paragraph is a Figure, which has the id and the caption, and the alternative
-- text is the Image's caption. All of it must come out as with pandoc 2.

local filters = os.getenv('FILTERS')
package.path = filters .. '/?.lua;' .. filters .. '/lib/?.lua;' .. package.path
local tree = require 'tree'
local read = tree.read
local figures = 0

local function as_figure(el)
  local image = el.content[1]
  if el.t ~= 'Para' or #el.content ~= 1 or image.t ~= 'Image' then return end
  el.t, el.content = 'Figure', pandoc.List {pandoc.Plain {image}}
  el.identifier, image.identifier = image.identifier, ''
  el.classes, el.attributes = pandoc.List {}, {}
  el.caption = {long = pandoc.List {pandoc.Plain(image.caption)}}
  if image.attributes.alt then
    image.caption = pandoc.List {pandoc.Str(image.attributes.alt)}
    image.attributes.alt = nil
  end
  figures = figures + 1
end

function tree.read(doc)
  local document = read(doc)
  for _, block in ipairs(document.blocks) do as_figure(block) end
  assert(figures > 0 or PANDOC_VERSION >= '3', 'no image was found')
  return document
end

return require('chain').filter()
