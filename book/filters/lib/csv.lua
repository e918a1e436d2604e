-- Result files: `# key: value` lines, one line of column names, rows.  Values
-- hold no commas and no quotes (bench/ writes them so).

local settings = require 'settings'
local diagnostics = require 'diagnostics'
local dependencies = require 'dependencies'

local M = {}
local cache = {}

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

-- Access maps have thousands of rows, of which a page shows a few: a row is
-- split when somebody looks at it. That all are whole is known before.
local function lazy_rows()
  local lines, numbers = {}, {}
  local rows = setmetatable({}, {
    __len = function() return #lines end,
    __index = function(rows, i)
      local line = lines[i]
      if not line then return nil end
      local cells = split(line)
      cells.line = numbers[i]
      rawset(rows, i, cells)
      return cells
    end,
  })
  return rows, function(line, number)
    lines[#lines + 1], numbers[#numbers + 1] = line, number
  end
end

local function read_row(table_, line, number)
  local _, commas = line:gsub(',', ',')
  if commas + 1 ~= #table_.names then
    diagnostics.throw(
      string.format('%d cells where the head names %d columns', commas + 1,
                    #table_.names),
      'the file is damaged: measure again', table_.path, number)
  end
  table_.add_row(line, number)
end

-- What begins with a digit or a letter and comes behind the names is a row.
local function read_line(table_, line, number)
  if #table_.names > 0 and line:find('^%w') then
    return read_row(table_, line, number)
  end
  local key, value = line:match('^#%s*([%w_]+):%s*(.-)%s*$')
  if key then
    table_.head[key] = value
  elseif line:match('^#') or line:match('^%s*$') then
    return
  elseif #table_.names == 0 then
    read_names(table_, line, number)
  else
    read_row(table_, line, number)
  end
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
  table_.rows, table_.add_row = lazy_rows()
  text = text:gsub('^\239\187\191', ''):gsub('\r\n', '\n')
  local number, from = 0, 1
  while from <= #text + 1 do
    local stop = text:find('\n', from, true) or #text + 1
    number = number + 1
    read_line(table_, text:sub(from, stop - 1), number)
    from = stop + 1
  end
  check_head(table_)
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
function M.read(asked)
  local entry = cache[asked]
  if entry == nil then
    local path = asked
    local file = io.open(path, 'rb')
    if not file then
      path = derived(path)
      file = io.open(path, 'rb')
    end
    if file then
      local text = file:read('a')
      file:close()
      dependencies.add(path)
      if text ~= '' or path == asked then
        local ok, result = pcall(parse, path, text or '')
        entry = {ok = ok, result = result}
      end
    end
    entry = entry or false
    cache[asked] = entry
  end
  if not entry then return nil end
  if not entry.ok then error(entry.result, 0) end
  return entry.result
end

return M
