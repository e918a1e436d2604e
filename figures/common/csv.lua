-- The reader of results for charts and drawings: rows of a CSV, its columns by
-- name. Whatever is not there is an error, never an empty place in a figure.
--
--   local t = csv.read('bench/transpose/bandwidth.h100.csv')
--   t.names, t.rows      the columns; each row is a list of texts
--   t:column('n_rows')   which of them it is
--   t:select('version=tile n_rows=64')  some rows
--   t:has('version=tile n_rows=64')     whether there are any
--
-- Values hold neither commas nor quotes: bench/ writes them so.

local csv = {}
csv.__index = csv

-- `line` is where in the file the fault is, if it is in one place.
function csv.fail(path, message, remedy, line)
  error({path = path, line = line, message = message, remedy = remedy}, 0)
end

local function split(line)
  local cells = {}
  for cell in (line .. ','):gmatch('([^,]*),') do cells[#cells + 1] = cell end
  return cells
end

-- t.lines: where in the file each row is.
function csv.read(path)
  local self = setmetatable({path = path, rows = {}, lines = {}, place = {}}, csv)
  local file = io.open(path, 'rb') or
               csv.fail(path, 'Cannot find or open file "' .. path .. '"',
                        "declare it in the head, '-- data: " .. path ..
                        "', or correct it")
  local number = 0
  for line in file:lines() do
    number = number + 1
    line = line:gsub('\r$', '')
    if not line:find('^#') and line:find('%S') then
      local cells = split(line)
      if not self.names then
        self.names = cells
        for i, name in ipairs(cells) do self.place[name] = i end
      elseif #cells ~= #self.names then
        csv.fail(path, string.format('%d cells where the head names %d columns',
                                     #cells, #self.names),
                 'measure it again', number)
      else
        self.rows[#self.rows + 1] = cells
        self.lines[#self.rows] = number
      end
    end
  end
  file:close()
  if #self.rows == 0 then
    csv.fail(path, 'it holds no row', 'measure it again')
  end
  return self
end

function csv:column(name)
  return self.place[name] or
         csv.fail(self.path, string.format("no column '%s'; it has %s", name,
                                           table.concat(self.names, ',')),
                  'correct its name')
end

-- A text allows several values, a|b; a number is equal to one that is written in
-- another way.
local function is_one_of(cell, wanted)
  if type(wanted) == 'number' then return tonumber(cell) == wanted end
  return ('|' .. wanted .. '|'):find('|' .. cell .. '|', 1, true) ~= nil
end

local function matching(self, where)
  local wanted, found = {}, {}
  if type(where) == 'string' then
    for name, values in where:gmatch('([^%s=]+)=(%S*)') do
      wanted[self:column(name)] = values
    end
  else
    for name, value in pairs(where) do wanted[self:column(name)] = value end
  end
  for _, row in ipairs(self.rows) do
    local fits = true
    for i, value in pairs(wanted) do
      fits = fits and is_one_of(row[i], value)
    end
    if fits then found[#found + 1] = row end
  end
  return found
end

-- Is there a row with these values?
function csv:has(where) return #matching(self, where) > 0 end

-- The rows with these values: {column = value}, or "column=value column=value".
-- A selection of none is a mistake.
function csv:select(where)
  local found = matching(self, where)
  if #found == 0 then
    csv.fail(self.path, 'no row has ' .. csv.words(where),
             'correct the selection')
  end
  return found
end

-- What is wanted, as a message says it.
function csv.words(where)
  if type(where) == 'string' then return where end
  local parts = {}
  for name, value in pairs(where) do
    parts[#parts + 1] = name .. '=' .. tostring(value)
  end
  table.sort(parts)
  return table.concat(parts, ' ')
end

return csv
