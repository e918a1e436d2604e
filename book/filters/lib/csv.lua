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

-- Access maps have thousands of rows, of which a page shows a few: a line is
-- looked for and split when somebody asks for its row.  That all are whole is
-- known before.
local function lazy_rows(lines, numbers)
  local text, from, number, count = '', 1, 0, 0
  local rows = setmetatable({}, {
    __len = function() return #lines + count end,
    __index = function(rows, i)
      while not lines[i] and count > 0 do
        local stop = text:find('\n', from, true)
        number, count = number + 1, count - 1
        lines[#lines + 1] = text:sub(from, stop - 1)
        numbers[#lines] = number
        from = stop + 1
      end
      if not lines[i] then return nil end
      local cells = split(lines[i])
      cells.line = numbers[i]
      rawset(rows, i, cells)
      return cells
    end,
  })
  return rows, function(rest, last_number, n)
    text, number, count = rest, last_number, n
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
  local n = #table_.lines + 1
  table_.lines[n], table_.numbers[n] = line, number
end

local function read_line(table_, line, number)
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

-- How many rows these lines are, or nil if there is anything else or a row
-- has not a cell for each name.  One pattern takes away what is right, and a
-- look at each line by itself ten times as long.
local function count_rows(table_, text)
  local row = '%w[^,\n]*' .. string.rep(',[^,\n]*', #table_.names - 1) .. '\n'
  local rest, count = text:gsub(row, '')
  return rest == '' and count or nil
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
                  names = {}, column = {}, lines = {}, numbers = {}}
  local later
  table_.rows, later = lazy_rows(table_.lines, table_.numbers)
  text = text:gsub('^\239\187\191', '')
  if text:find('\r', 1, true) then text = text:gsub('\r\n', '\n') end
  local number, from = 0, 1
  while from <= #text + 1 do
    local stop = text:find('\n', from, true) or #text + 1
    number = number + 1
    read_line(table_, text:sub(from, stop - 1), number)
    from = stop + 1
    if #table_.names > 0 and #table_.lines == 0 then
      local rest = text:sub(from)
      local count = count_rows(table_, rest)
      if count then
        later(rest, number, count)
        break
      end
    end
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
