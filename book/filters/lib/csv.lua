-- Result files: `# key: value` lines, one line of column names, rows.  Values
-- hold no commas and no quotes (bench/ writes them so).

local settings = require 'settings'
local diagnostics = require 'diagnostics'
local dependencies = require 'dependencies'

local M = {}

-- Without these nobody could tell where a number comes from.
local required = {'machine', 'gpu', 'driver', 'toolkit', 'commit', 'date'}

local function split(line)
  local cells = {}
  for cell in (line .. ','):gmatch('([^,]*),') do
    cells[#cells + 1] = cell:match('^%s*(.-)%s*$')
  end
  return cells
end

local function read_names(table_, line, number)
  table_.names = split(line)
  for i, name in ipairs(table_.names) do
    if name == '' then
      diagnostics.throw(string.format('column %d has no name', i),
                        'name every column, with its unit', table_.path, number)
    elseif table_.column[name] then
      diagnostics.throw(string.format("two columns are named '%s'", name),
                        'column names must differ', table_.path, number)
    end
    table_.column[name] = i
  end
end

local function check_row(table_, line, number)
  local _, commas = line:gsub(',', ',')
  if commas + 1 ~= #table_.names then
    diagnostics.throw(
      string.format('%d cells where the head names %d columns', commas + 1,
                    #table_.names),
      'the file is damaged: measure again', table_.path, number)
  end
end

-- Is all the text rows that have a cell for each name? One pattern takes away
-- what is right, and a look at each line by itself takes ten times as long.
local function is_sound(table_, text)
  local row = '%w[^,\n]*' .. string.rep(',[^,\n]*', #table_.names - 1) .. '\n'
  return text:gsub(row, '') == ''
end

-- Access maps have thousands of rows, of which a page shows a few: a line is
-- split when somebody asks for its row.
local function lazy_rows(lines, numbers)
  return setmetatable({}, {
    __len = function() return #lines end,
    __index = function(rows, i)
      if not lines[i] then return nil end
      local cells = split(lines[i])
      cells.line = numbers[i]
      rawset(rows, i, cells)
      return cells
    end,
  })
end

local function check_head(table_)
  for _, key in ipairs(required) do
    if (table_.head[key] or '') == '' then
      diagnostics.throw(
        string.format("the head has no '%s': a number without its " ..
                      'provenance is not shown', key),
        'measure again with ./course bench, which writes the head',
        table_.path, 1)
    end
  end
  if #table_.names == 0 then
    diagnostics.throw('no line of column names',
                      'the file is damaged: measure again', table_.path, 1)
  end
end

local function parse(path, text)
  local table_ = {path = settings.shown(path), full = path, head = {},
                  names = {}, column = {}}
  local lines, numbers, number, sound = {}, {}, 0, false
  text = text:gsub('^\239\187\191', '')
  if text:find('\r', 1, true) then text = text:gsub('\r\n', '\n') end
  if text:sub(-1) ~= '\n' then text = text .. '\n' end
  for line, next_ in text:gmatch('([^\n]*)\n()') do
    number = number + 1
    local is_row = sound or not line:match('^#') and line:match('%S')
    if not is_row then
      local key, value = line:match('^#%s*([%w_]+):%s*(.-)%s*$')
      if key then table_.head[key] = value end
    elseif #table_.names == 0 then
      read_names(table_, line, number)
      sound = is_sound(table_, text:sub(next_))
    else
      if not sound then check_row(table_, line, number) end
      lines[#lines + 1], numbers[#lines + 1] = line, number
    end
  end
  check_head(table_)
  table_.rows = lazy_rows(lines, numbers)
  return table_
end

-- What the build computes of other results lies in its own folder, as
-- bench/<slug>/<experiment>.<machine>.csv; an empty file if there are none.
local function derived(path)
  local rest = path:match('/bench/([^/]+/[^/]+%.csv)$')
  if rest then return settings.build .. '/bench/' .. rest end
  local machine, slug, name = path:match('/([^/]+)/([^/]+)/([^/]+)%.csv$')
  return machine and string.format('%s/bench/%s/%s.%s.csv', settings.build,
                                   slug, name, machine) or path
end

-- The file's table, or nil if there is no such file.  A faulty file throws.
M.read = diagnostics.once(function(path)
  local text = dependencies.read(path)
  if text then return parse(path, text) end
  path = derived(path)
  text = dependencies.read(path)
  return text and text ~= '' and parse(path, text) or nil
end)

return M
