-- Fills the first page: the table of contents with each chapter's question,
-- and the machines on which this copy's numbers were measured.

package.path = pandoc.path.directory(PANDOC_SCRIPT_FILE) .. '/?.lua;' ..
               package.path

local fill = require 'fill'
local stringify = pandoc.utils.stringify
local words = fill.words

-- ---- Contents -------------------------------------------------------------

local function entry(cells)
  local number, slug, _, title, question = table.unpack(cells)
  local name = pandoc.Inlines{
    pandoc.Span({pandoc.Str(number)}, {class = 'number'}), pandoc.Space()}
  name:extend{pandoc.Link(words(title), slug .. '.html')}
  local blocks = pandoc.Blocks{pandoc.Para(name)}
  if question ~= '' then
    blocks:insert(pandoc.Div({fill.para(question)}, {class = 'question'}))
  end
  return pandoc.Div(blocks, {class = 'entry'})
end

local function chapters(path)
  local blocks, part = pandoc.Blocks{}, nil
  for _, cells in ipairs(fill.rows(path)) do
    if cells[3] ~= part then
      part = cells[3]
      blocks:insert(pandoc.Header(3, words(part)))
    end
    blocks:insert(entry(cells))
  end
  return blocks
end

-- ---- Machines ---------------------------------------------------------------

local function dates(from, to)
  return from == to and from or from .. ' to ' .. to
end

-- Commits are long: the page shows what git needs, and of many their number.
-- "How these numbers were made" has that of each run.
local function short_commits(text)
  local found = {}
  for commit in text:gmatch('%S+') do
    local hex, rest = commit:match('^(%x+)(.*)$')
    found[#found + 1] = hex and hex:sub(1, 10) .. rest or commit
  end
  if #found > 2 then return 'one of ' .. #found end
  return table.concat(found, ', ')
end

-- What was copied out of a publication names no commit of ours.
local function is_quoted(cells) return not cells[6]:match('^%x%x%x%x%x') end

local headings = {'Machine', 'GPU', 'Compute capability', 'Driver',
                  'CUDA Toolkit', 'Measured', 'Commit'}

local function row(cells)
  local name, gpu, capability, driver, toolkit, commits, from, to =
    table.unpack(cells)
  local texts = {name, gpu, capability, driver == 'none' and '' or driver,
                 toolkit, dates(from, to), short_commits(commits)}
  local filled = {}
  for i, text in ipairs(texts) do filled[i] = fill.item(text) end
  return filled
end

local function machine_table(measured)
  return fill.table('Machines on which this copy was measured', headings,
                    pandoc.List(measured):map(row))
end

-- On paper a table of so many columns would not fit.
local function machine_list(measured)
  local items = pandoc.List()
  for _, cells in ipairs(measured) do
    local parts = {}
    for i, plain in ipairs(row(cells)) do
      local text = stringify(plain)
      if i > 2 and text ~= '' then
        local heading = headings[i]:gsub('^%u%l', string.lower)
        parts[#parts + 1] = heading .. ' ' .. text
      end
    end
    items:insert(fill.item(string.format('%s (%s): %s.', cells[2], cells[1],
                                         table.concat(parts, ', '))))
  end
  return pandoc.BulletList(items)
end

local function quoted_line(quoted)
  local names = {}
  for i, cells in ipairs(quoted) do
    names[i] = cells[1] .. ' (' .. dates(cells[7], cells[8]) .. ')'
  end
  return fill.para('Quoted from other publications, not measured here: ' ..
                   table.concat(names, ', ') .. '.')
end

local function machines(path)
  local measured, quoted = {}, {}
  for _, cells in ipairs(fill.rows(path)) do
    local list = is_quoted(cells) and quoted or measured
    list[#list + 1] = cells
  end
  local blocks = pandoc.Blocks{}
  if #measured > 0 then
    blocks:insert(FORMAT:match('latex') and machine_list(measured) or
                  machine_table(measured))
  else
    blocks:insert(fill.para(
      'No result has been recorded yet: run ./course bench.'))
  end
  if #quoted > 0 then blocks:insert(quoted_line(quoted)) end
  return blocks
end

-- The listing that can be stepped here: a page of its own, which the filters of
-- chapters have made (first_scene.md).
local function first_scene(path)
  local file = assert(io.open(path))
  local text = file:read('a')
  file:close()
  return pandoc.Blocks{pandoc.RawBlock('html', text)}
end

-- What a reader who comes for the first time may want, the likeliest first.
local function start_here(outline, pdf, epub)
  local number, slug, _, title = table.unpack(fill.rows(outline)[1])
  local links = pandoc.Inlines{}
  local function add(text, address, class)
    if #links > 0 then links:insert(pandoc.Space()) end
    links:insert(pandoc.Link(words(text), address, '', {class = class}))
  end
  add('Start here: ' .. number .. ' ' .. title, slug .. '.html', 'first')
  add('Get the code', 'start.html')
  if pdf ~= '' then add('The book as a PDF', pdf) end
  if epub ~= '' then add('as an EPUB', epub) end
  return pandoc.Blocks{pandoc.Para(links)}
end

function Pandoc(doc)
  local meta = doc.meta
  return fill.fill(doc, {
    chapters = function() return chapters(stringify(meta['book-outline'])) end,
    machines = function() return machines(stringify(meta['book-machines'])) end,
    ['first-scene'] = function()
      return first_scene(stringify(meta['book-first-scene']))
    end,
    ['start-here'] = function()
      return start_here(stringify(meta['book-outline']),
                        stringify(meta['book-pdf'] or ''),
                        stringify(meta['book-epub'] or ''))
    end,
  })
end
