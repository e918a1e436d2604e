-- Fills the first page: the table of contents with each chapter's question,
-- and the machines on which this copy's numbers were measured.

local stringify = pandoc.utils.stringify

-- The rows of a file of fields between tabs.
local function rows(path)
  local found = {}
  for line in io.lines(path) do
    local cells = {}
    for cell in (line .. '\t'):gmatch('([^\t]*)\t') do
      cells[#cells + 1] = cell
    end
    found[#found + 1] = cells
  end
  return found
end

local function words(text) return pandoc.Inlines(text) end

-- ---- Contents -------------------------------------------------------------

local function entry(cells)
  local number, slug, _, title, question = table.unpack(cells)
  local name = pandoc.Inlines{
    pandoc.Span({pandoc.Str(number)}, {class = 'number'}), pandoc.Space()}
  name:extend{pandoc.Link(words(title), slug .. '.html')}
  local blocks = pandoc.Blocks{pandoc.Para(name)}
  if question ~= '' then
    blocks:insert(pandoc.Div({pandoc.Para(words(question))},
                             {class = 'question'}))
  end
  return pandoc.Div(blocks, {class = 'entry'})
end

local function chapters(path)
  local blocks, part = pandoc.Blocks{}, nil
  for _, cells in ipairs(rows(path)) do
    if cells[3] ~= part then
      part = cells[3]
      blocks:insert(pandoc.Header(3, words(part)))
    end
    blocks:insert(entry(cells))
  end
  return blocks
end

-- ---- Machines ---------------------------------------------------------------

local function definition(name, text)
  return {words(name), {{pandoc.Plain(words(text))}}}
end

local function dates(from, to)
  return from == to and from or from .. ' to ' .. to
end

-- Commits are long: the page shows what git needs.
local function short_commits(text)
  local found = {}
  for commit in text:gmatch('%S+') do
    found[#found + 1] = commit:gsub('^(%x%x%x%x%x%x%x%x%x%x)%x+', '%1')
  end
  return table.concat(found, ', ')
end

local function machine(cells)
  local name, gpu, capability, driver, toolkit, commits, from, to, files =
    table.unpack(cells)
  local items = {}
  local function add(label, text)
    if text and text ~= '' and text ~= 'none' then
      items[#items + 1] = definition(label, text)
    end
  end
  add('Compute capability', capability)
  add('Driver', driver)
  add('CUDA Toolkit', toolkit)
  add('Measured', dates(from, to))
  add('Result files', files)
  add('Commit', short_commits(commits))
  return pandoc.Div({
    pandoc.Header(3, {pandoc.Str(gpu), pandoc.Space(),
                      pandoc.Span({pandoc.Str(name)},
                                  {class = 'machine-name'})}),
    pandoc.DefinitionList(items)}, {class = 'machine'})
end

local function machines(path)
  local blocks = pandoc.Blocks{}
  for _, cells in ipairs(rows(path)) do blocks:insert(machine(cells)) end
  if #blocks == 0 then
    blocks:insert(pandoc.Para(words(
      'No result has been recorded yet: run ./course bench.')))
  end
  return blocks
end

local function download(pdf)
  if pdf == '' then return pandoc.Blocks{} end
  return pandoc.Blocks{pandoc.Para{
    pandoc.Link(words('The whole book as a PDF'), pdf)}}
end

function Pandoc(doc)
  local meta = doc.meta
  return doc:walk{
    Div = function(div)
      if div.classes:includes('chapters') then
        div.content = chapters(stringify(meta['book-outline']))
      elseif div.classes:includes('machines') then
        div.content = machines(stringify(meta['book-machines']))
      elseif div.classes:includes('download') then
        div.content = download(stringify(meta['book-pdf'] or ''))
      else
        return nil
      end
      return div
    end,
  }
end
