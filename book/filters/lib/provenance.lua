-- Which result files a chapter shows, and how each is cited.

local settings = require 'settings'
local escape = require 'escape'
local origin = require 'origin'

local M = {}
M.list = {}
local by_path = {}
local pending = {}

-- Numbers are given in the order of use, one per file and chapter.
function M.cite(file)
  local entry = by_path[file.full]
  if entry then return entry end
  if not file.slug then
    file.slug, file.experiment =
      file.path:match('([^/]+)/([^/.]+)%.?[^/]*%.csv$')
  end
  entry = {file = file, number = #M.list + 1,
           name = file.slug .. '/' .. file.experiment,
           origin = origin.of(file.slug, file.experiment)}
  entry.key = settings.slug .. '-' .. entry.number
  entry.id = 'source-' .. entry.number
  M.list[entry.number] = entry
  by_path[file.full] = entry
  return entry
end

-- "2026-11-20" of "2026-11-20T10:11:12Z".
local function day(date) return date:match('^%d%d%d%d%-%d%d%-%d%d') or date end

-- Two machines may have the same GPU: a reader's says its own name as well.
function M.gpu(file)
  local gpu = file.head.gpu
  if not file.readers then return gpu end
  gpu = gpu .. ' (' .. file.readers .. ')'
  return escape.for_print(gpu)
end

-- What no machine measured.
local unmeasured = {computed = 'computed', documented = 'documented by NVIDIA'}

-- A host's CPU, by the name that it gives itself.
local function cpu(file) return file.head.cpu or 'CPU not stated' end

-- What was measured: the GPU, its host's CPU, or both.
local function machine(entry)
  local gpu = M.gpu(entry.file)
  if entry.origin == 'cpu' then
    return cpu(entry.file) .. ', host of ' .. gpu
  elseif entry.origin == 'cpu+gpu' then
    return gpu .. ' and ' .. cpu(entry.file)
  end
  return gpu
end

-- "NVIDIA H200, 2026-11-20", or "computed": for the line under a figure or a
-- table.
function M.where_when(entry)
  return unmeasured[entry.origin] or
         machine(entry) .. ', ' .. day(entry.file.head.date)
end

-- The same as a sentence's beginning: "Measured on …", "Computed".
function M.measured(entry)
  local what = unmeasured[entry.origin]
  return what and what:gsub('^%l', string.upper) or
         'Measured on ' .. M.where_when(entry)
end

-- A link to it in the list at the chapter's end.
function M.link(entry, text)
  return pandoc.Link(text, '#' .. entry.id, '', {class = 'source'})
end

-- What makes a run doubtful (tools/results/conditions.py), or that what was
-- measured has changed since (stale.py), or nil.
local function stated_doubt(file)
  local reasons = {}
  for _, key in ipairs {'doubt', 'stale'} do
    local reason = file.head[key]
    if reason and reason ~= '' then reasons[#reasons + 1] = reason end
  end
  return reasons[1] and table.concat(reasons, '; ')
end

-- The same as a sentence.
function M.doubt(file)
  local doubt = stated_doubt(file)
  return doubt and 'Doubtful: ' .. doubt .. '.'
end

-- "NVIDIA H200, 2026-11-20, transpose/bandwidth"
function M.short(entry) return M.where_when(entry) .. ', ' .. entry.name end

-- "none" and "not stated" say nothing to a reader.
local function stated(value)
  local says_nothing = not value or value == '' or value:match('^none') or
                       value:match('^not stated')
  return not says_nothing and value or nil
end

function M.full(entry)
  local head = entry.file.head
  local is_measured = not unmeasured[entry.origin]
  local parts = {unmeasured[entry.origin] or machine(entry)}
  local function add(text, key, after)
    local value = stated(head[key])
    if value then parts[#parts + 1] = text .. value .. (after or '') end
  end
  if is_measured then
    add('compute capability ', 'compute_capability')
    add('driver ', 'driver')
    add((head.toolkit or ''):match('^clang') and '' or 'CUDA ', 'toolkit')
  end
  if stated(head.commit) then
    parts[#parts + 1] = 'commit ' ..
                        head.commit:gsub('^(%x%x%x%x%x%x%x%x%x%x)%x+', '%1')
  end
  add('', 'date')
  if is_measured then
    add('', 'repetitions', head.repetitions == '1' and ' repetition' or
                           ' repetitions')
  end
  return table.concat(parts, ', ')
end

-- ---- Print: a footnote at a source's first number, then its mark ----------

local function note_text(entry)
  local command = stated(entry.file.head.command)
  local text = escape.latex(entry.name .. ': ' .. M.full(entry))
  if command then
    text = text .. '; \\texttt{' .. escape.latex(command) .. '}'
  end
  local doubt = M.doubt(entry.file)
  return text .. '.' .. (doubt and ' ' .. escape.latex(doubt) or '')
end

-- In captions and cells a footnote cannot stand: its mark does, and the note
-- follows with M.flush behind the block.
function M.mark(entry, in_box)
  if entry.noted or in_box then
    if not entry.noted then
      entry.noted = true
      pending[#pending + 1] = entry
    end
    return '\\resultmark{' .. entry.key .. '}'
  end
  entry.noted = true
  return string.format('\\resultnote{%s}{%s}', entry.key, note_text(entry))
end

function M.flush()
  local parts = {}
  for _, entry in ipairs(pending) do
    parts[#parts + 1] = string.format('\\resultnotetext{%s}{%s}', entry.key,
                                      note_text(entry))
  end
  pending = {}
  return table.concat(parts, '%\n')
end

-- ---- Doubtful runs ---------------------------------------------------------

local doubtful = {class = 'doubt-note', role = 'note'}

function M.doubt_note(text) return pandoc.Span(text, doubtful) end

-- "NVIDIA H200 (mine), too hot: transpose/bandwidth, transpose/order", an
-- entry for each machine and reason, in the order of use.
local function doubts_by_reason()
  local groups, index = {}, {}
  for _, entry in ipairs(M.list) do
    local doubt = stated_doubt(entry.file)
    if doubt then
      local reason = M.gpu(entry.file) .. ', ' .. doubt
      local i = index[reason] or #groups + 1
      index[reason] = i
      groups[i] = (groups[i] and groups[i] .. ', ' or reason .. ': ') ..
                  entry.name
    end
  end
  return groups
end

-- A block for the top of a page that shows doubtful runs, or nil.
function M.doubtful_page()
  local parts = doubts_by_reason()
  if #parts == 0 then return nil end
  local text = 'Some numbers here come from doubtful runs; they are marked ' ..
               'with a question mark. ' .. table.concat(parts, '. ') .. '.'
  if settings.latex then
    return pandoc.RawBlock('latex',
                           '\\resultdoubtful{' .. escape.latex(text) .. '}')
  end
  return pandoc.Div(pandoc.Para(text), doubtful)
end

-- ---- HTML: the list at the chapter's end ---------------------------------

function M.csv_link(file)
  local machine = file.path:match('%.([%w_%-]+)%.csv$') or file.readers
  return string.format('data/%s/%s.%s.csv', file.slug, file.experiment,
                       machine)
end

local function item(entry)
  local head = entry.file.head
  local content = pandoc.List {
    pandoc.Span(pandoc.Strong(entry.name), {id = entry.id}),
    pandoc.Str(': ' .. M.full(entry) .. '. '),
  }
  if stated(head.command) then
    content:extend {pandoc.Str('Command: '), pandoc.Code(head.command),
                    pandoc.Str('. ')}
  end
  local doubt = M.doubt(entry.file)
  if doubt then
    content:extend {M.doubt_note(doubt), pandoc.Space()}
  end
  content:insert(pandoc.Link(
    'CSV of ' .. entry.name .. ', ' .. M.gpu(entry.file),
    M.csv_link(entry.file)))
  return {pandoc.Plain(content)}
end

function M.section()
  if #M.list == 0 then return nil end
  local items = pandoc.List()
  for _, entry in ipairs(M.list) do items:insert(item(entry)) end
  return pandoc.Div({
    pandoc.Header(2, 'Where these numbers come from',
                  {id = 'provenance', class = 'unnumbered'}),
    pandoc.OrderedList(items),
  }, {class = 'provenance'})
end

return M
