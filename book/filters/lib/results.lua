-- Finds the rows that a query `<slug>/<experiment>.<column>[…]` means.

local settings = require 'settings'
local diagnostics = require 'diagnostics'
local suggest = require 'suggest'
local csv = require 'csv'
local conditions = require 'conditions'
local origin = require 'origin'

local M = {}

local function throw_unknown(slug, experiment, machine)
  local name = slug .. '/' .. experiment
  local where = machine and " on machine '" .. machine .. "'" or ''
  local names = origin.names(slug)
  if not names then
    diagnostics.throw(
      string.format("no results of '%s'%s", name, where),
      string.format('there is no bench/%s/experiments: correct the slug', slug))
  end
  if pandoc.List(names):includes(experiment) then
    diagnostics.throw(
      string.format("no results of '%s'%s", name, where),
      string.format('measure it with ./course bench %s, or name a ' ..
                    'machine that has measured it', slug))
  end
  diagnostics.throw(string.format("no experiment '%s'", name),
                    suggest.among(experiment, names,
                                  'bench/' .. slug .. '/experiments has:'))
end

local function bench(slug, experiment, machine)
  return csv.read(string.format('%s/bench/%s/%s.%s.csv', settings.root, slug,
                                experiment, machine))
end

-- A reader's file of an experiment, if there is one: their own, or one that
-- was contributed.
function M.readers(slug, experiment, machine)
  local file = csv.read(string.format('%s/%s/%s/%s.csv', settings.results,
                                      machine, slug, experiment)) or
               bench(slug, experiment, machine)
  if file then file.readers = machine end
  return file
end

-- The file of an experiment.  What needs several GPUs was measured on a machine
-- that has two.  `machine` is what the query itself asks for;
-- `mine` is a reader's machine, whose results come first where there are some.
function M.locate(slug, experiment, machine, mine)
  local found
  if machine == 'reference' then
    found = bench(slug, experiment, settings.reference) or
            bench(slug, experiment, settings.reference_of_two)
  elseif machine then
    found = bench(slug, experiment, machine)
    if not found and settings.machines:includes(machine) then
      found = M.readers(slug, experiment, machine)
    end
  else
    found = (mine and M.readers(slug, experiment, mine)) or
            bench(slug, experiment, settings.reference) or
            bench(slug, experiment, settings.reference_of_two) or
            bench(slug, experiment, 'software')
  end
  if not found then throw_unknown(slug, experiment, machine) end
  found.slug = found.slug or slug
  found.experiment = found.experiment or experiment
  return found
end

-- Does this machine have results of the experiment?
function M.has(slug, experiment, machine)
  return bench(slug, experiment, machine) ~= nil
end

function M.column(file, name)
  local index = file.column[name]
  if not index then
    diagnostics.throw(string.format("%s has no column '%s'", file.path, name),
                      suggest.among(name, file.names, 'it has:'))
  end
  return index
end

-- The values of a column, each once, in the order of the rows.
function M.different(rows, index)
  local values, known = {}, {}
  for _, row in ipairs(rows) do
    local value = row[index]
    if not known[value] then values[#values + 1] = value end
    known[value] = true
  end
  return values
end

local function throw_no_row(file, where)
  local rows = file.rows
  for _, condition in ipairs(where) do
    local kept = conditions.select(rows, {condition})
    if #kept == 0 then
      local values = M.different(rows, condition.index)
      diagnostics.throw(
        string.format('%s has no row with %s', file.path, condition.text),
        suggest.among(condition.value, values, 'with the other conditions, ' ..
                      condition.key .. ' is one of:'))
    end
    rows = kept
  end
  diagnostics.throw(file.path .. ' has no rows',
                    'the run wrote none: measure again')
end

-- The columns in which these rows differ: what a condition could name.
local function differing(file, rows)
  local names = {}
  for index, name in ipairs(file.names) do
    if #M.different(rows, index) > 1 then names[#names + 1] = name end
  end
  return table.concat(names, ', ')
end

function M.rows(file, where)
  for _, condition in ipairs(where) do
    condition.index = M.column(file, condition.key)
  end
  return conditions.select(file.rows, where)
end

-- Rows for a query: at least one; exactly one unless `several`.
function M.select(file, where, several, empty)
  local rows = M.rows(file, where)
  if #rows == 0 and not empty then throw_no_row(file, where) end
  if #rows > 1 and not several then
    diagnostics.throw(
      string.format('%d rows of %s match, one is needed', #rows, file.path),
      'add a condition on a column in which they differ: ' ..
      differing(file, rows) ..
      '\nor put the query inside min( ), max( ), sum( ), count( ) or median( )')
  end
  return rows
end

-- Is this what a run writes that went wrong?
function M.is_none(cell)
  local text = cell:lower():gsub('^[+-]', '')
  return text == 'nan' or text == 'inf' or text == 'infinity' or
         text:match('^nan%(') ~= nil
end

-- A cell as a number where it is one.  What no run should write is an error.
function M.value(file, row, index)
  local cell = row[index]
  local name = file.names[index]
  if cell == '' then
    diagnostics.throw(string.format("'%s' is empty in this row", name),
                      'measure again, or choose another row', file.path,
                      row.line)
  end
  if M.is_none(cell) then
    diagnostics.throw(string.format("'%s' is %s in this row", name, cell),
                      'the run went wrong: measure again', file.path, row.line)
  end
  return tonumber(cell) or cell
end

return M
