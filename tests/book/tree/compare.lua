-- Is a document that came back from lib/tree.lua what it was, and do walks and
-- stringify give what pandoc's own give?

package.path = os.getenv('FILTERS') .. '/lib/?.lua;' .. package.path
local tree = require 'tree'
local real = pandoc
local failed = false

local function same(what, a, b)
  print(what .. (a == b and ': the same' or ': different'))
  if a ~= b then
    local i = 1
    while a:sub(i, i) == b:sub(i, i) do i = i + 1 end
    print('  pandoc: ' .. a:sub(math.max(1, i - 80), i + 80))
    print('  tree:   ' .. b:sub(math.max(1, i - 80), i + 80))
    failed = true
  end
end

local function json(doc) return real.write(doc, 'json') end

-- Filters, made anew for pandoc and for the tree: what they see, in order, and
-- what they do.
local kinds = {'Str', 'Emph', 'Strong', 'Strikeout', 'Superscript', 'Subscript',
  'SmallCaps', 'Underline', 'Quoted', 'Code', 'Math', 'RawInline', 'Link',
  'Image', 'Span', 'Cite', 'Note', 'Para', 'Plain', 'Header', 'Div',
  'CodeBlock', 'RawBlock', 'BlockQuote', 'BulletList', 'OrderedList',
  'DefinitionList', 'LineBlock', 'Table'}

local function seen(doc, traverse)
  local list, filter = {}, {traverse = traverse}
  for _, kind in ipairs(kinds) do
    filter[kind] = function(el)
      list[#list + 1] = el.t .. ' ' .. pandoc.utils.stringify(el)
    end
  end
  doc:walk(filter)
  return table.concat(list, '\n')
end

local changes = {
  ['words to several'] = function()
    return {Str = function(el)
      return {pandoc.Str(el.text), pandoc.Space(), pandoc.Str('x')}
    end}
  end,
  ['code gone, spans opened'] = function()
    return {Code = function() return {} end,
            Span = function(el) return el.content end}
  end,
  ['attributes'] = function()
    local function change(el)
      el.classes:insert('more')
      el.attributes.key, el.attributes.new = nil, 'n'
      el.identifier = el.identifier .. '-x'
      return el
    end
    return {Header = change, Div = change, CodeBlock = change, Code = change}
  end,
  ['blocks from the top'] = function()
    return {traverse = 'topdown',
      Div = function(el) return {el, pandoc.Para {pandoc.Str('behind')}}, false end,
      Para = function(el) el.content:insert(pandoc.Str('end')) return el end}
  end,
  ['lists'] = function()
    return {Inlines = function(list) list:insert(pandoc.Str('!')) return list end,
            Blocks = function(list)
              list:insert(pandoc.RawBlock('html', '<hr>'))
              return list
            end}
  end,
}

local function simple_table()
  local function cell(text) return {pandoc.Plain {pandoc.Str(text)}} end
  return pandoc.utils.from_simple_table(pandoc.SimpleTable(
    {pandoc.Str('new')}, {'AlignLeft', 'AlignRight'}, {0, 0.5},
    {cell('name'), cell('size')},
    {{cell('a'), cell('1')}, {cell('b'), {}}}))
end

function Pandoc(doc)
  local function copy() return tree.read(doc) end
  same('there and back', json(doc), json(tree.write(copy())))
  local by_pandoc, names = {}, {}
  for name, change in pairs(changes) do
    by_pandoc[name] = json(doc:walk(change()))
    names[#names + 1] = name
  end
  table.sort(names)
  local order, top = seen(doc), seen(doc, 'topdown')
  local texts = {}
  for i, block in ipairs(doc.blocks) do
    texts[i] = real.utils.stringify(block)
  end
  local table_ = json(real.Pandoc {simple_table()})

  tree.install()
  for _, name in ipairs(names) do
    same(name, by_pandoc[name],
         json(tree.write(copy():walk(changes[name]()))))
  end
  same('order of a walk', order, seen(copy()))
  same('order from the top', top, seen(copy(), 'topdown'))
  local blocks = copy().blocks
  for i, block in ipairs(blocks) do
    if texts[i] ~= pandoc.utils.stringify(block) then
      same('text of block ' .. i, texts[i], pandoc.utils.stringify(block))
    end
  end
  same('simple table', table_,
       json(tree.write(pandoc.Pandoc {simple_table()})))
  os.exit(failed and 1 or 0)
end
