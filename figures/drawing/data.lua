-- Results as drawings read them: rows of a CSV by the names of its columns.
-- What is not there is an error, never an empty place in a drawing.
--
--   local t = data.csv('hardware/rates')            bench/hardware/rates.h200.csv
--   t:one{version = 'fp32_fma'}.per_clock           one value
--   for _, row in ipairs(t:where{…}) do … end       rows, in the file's order
--   data.requests('coalescing/worst_access', {space = 'global'})

local data = {machine = 'h200'}

local function fail(message, remedy)
  error({message = message, remedy = remedy}, 0)
end

local function split(line)
  local fields, at = {}, 1
  while true do
    local field
    if line:sub(at, at) == '"' then
      local stop = at + 1
      while true do
        stop = line:find('"', stop, true) or #line + 1
        if line:sub(stop + 1, stop + 1) ~= '"' then break end
        stop = stop + 2
      end
      field = line:sub(at + 1, stop - 1):gsub('""', '"')
      at = stop + 1
    else
      field = line:match('^[^,]*', at)
      at = at + #field
    end
    fields[#fields + 1] = field
    if at > #line then return fields end
    at = at + 1
    if at > #line then fields[#fields + 1] = '' return fields end
  end
end

local Table = {}
Table.__index = Table

-- What a row of this table is asked for: its field of that name, a number where
-- it is one. A map of all lanes has a million fields, of which few are looked at.
local function rows_of(table_)
  return {__index = function(row, name)
    local field = table_.columns[name]
    if not field then
      local known = {}
      for each in pairs(table_.columns) do known[#known + 1] = each end
      table.sort(known)
      fail(string.format("%s has no column '%s'", table_.path, tostring(name)),
           'it has ' .. table.concat(known, ', '))
    end
    local value = tonumber(rawget(row, field)) or rawget(row, field)
    rawset(row, name, value)
    return value
  end}
end

local files = {}

-- A file that the head of the script declares.
function data.file(path)
  if files[path] then return files[path] end
  local file = io.open(path, 'rb')
  if not file then
    fail('no file ' .. path,
         "declare it in the head, '-- data: " .. path .. "', or correct it")
  end
  local self, number = setmetatable({path = path, rows = {}}, Table), 0
  local named = rows_of(self)
  for line in file:lines() do
    number = number + 1
    line = line:gsub('\r$', '')
    if line ~= '' and line:sub(1, 1) ~= '#' then
      local fields = split(line)
      if not self.columns then
        self.columns, self.width = {}, #fields
        for i, name in ipairs(fields) do self.columns[name] = i end
      elseif #fields ~= self.width then
        fail(string.format('%s:%d has %d values for %d columns', path, number,
                           #fields, self.width), 'measure it again')
      else
        self.rows[#self.rows + 1] = setmetatable(fields, named)
      end
    end
  end
  file:close()
  if not self.columns or #self.rows == 0 then
    fail(path .. ' has no rows', 'measure it again')
  end
  files[path] = self
  return self
end

-- The lines of a result that is text, such as PTX.
function data.lines(path)
  local file = io.open(path, 'rb')
  if not file then
    fail('no file ' .. path,
         "declare it in the head, '-- text: " .. path .. "', or correct it")
  end
  local lines = {}
  for line in file:lines() do lines[#lines + 1] = line end
  file:close()
  return lines
end

-- The result of an experiment; a machine's own, or the software device's.
function data.csv(experiment, machine)
  return data.file(string.format('bench/%s.%s.csv', experiment,
                                 machine or data.machine))
end

function data.software(experiment) return data.csv(experiment, 'software') end

local function says(wanted)
  local parts = {}
  for name, value in pairs(wanted) do
    parts[#parts + 1] = name .. '=' .. tostring(value)
  end
  table.sort(parts)
  return table.concat(parts, ' ')
end

function Table:select(wanted)
  local found = {}
  for _, row in ipairs(self.rows) do
    local fits = true
    for name, value in pairs(wanted) do
      fits = fits and row[name] == value
    end
    if fits then found[#found + 1] = row end
  end
  return found
end

function Table:where(wanted)
  local found = self:select(wanted)
  if #found == 0 then
    fail(string.format('%s: no row has %s', self.path, says(wanted)),
         'correct the selection, or the experiment')
  end
  return found
end

function Table:one(wanted)
  local found = self:where(wanted)
  if #found > 1 then
    fail(string.format('%s: %d rows have %s, one was expected', self.path,
                       #found, says(wanted)), 'name more columns')
  end
  return found[1]
end

-- ---- Requests of an access map --------------------------------------------

local Request = {}
Request.__index = Request

-- Each request of the software device's map whose rows have what is wanted,
-- in its order: {lanes = rows, one of each lane that took part}.
function data.requests(experiment, wanted)
  local of, order = {}, {}
  for _, row in ipairs(data.software(experiment):where(wanted or {})) do
    local key = table.concat({row.launch, row.block_x, row.block_y,
                              row.block_z, row.warp, row.request}, ' ')
    local request = of[key]
    if not request then
      request = setmetatable({lanes = {}, warp = row.warp, line = row.line,
                              operation = row.operation, space = row.space,
                              block = {row.block_x, row.block_y, row.block_z}},
                             Request)
      of[key] = request
      order[#order + 1] = request
    end
    request.lanes[#request.lanes + 1] = row
  end
  return order
end

-- The only one.
function data.request(experiment, wanted, which)
  local found = data.requests(experiment, wanted)
  if which and not found[which] then
    fail(string.format('%s has %d such requests, not %d', experiment, #found,
                       which), 'correct the number')
  elseif not which and #found ~= 1 then
    fail(string.format('%s has %d such requests, one was expected', experiment,
                       #found), 'name more columns, or its number')
  end
  return found[which or 1]
end

-- The words of shared memory that such accesses touch, as a set.
function data.words(experiment, wanted)
  local words = {}
  for _, row in ipairs(data.software(experiment):where(wanted)) do
    for byte = row.address, row.address + row.bytes - 1, 4 do
      words[byte // 4] = true
    end
  end
  return words
end

local function count(set)
  local n = 0
  for _ in pairs(set) do n = n + 1 end
  return n
end

-- Pieces of `bytes` that the lanes touch: number -> rows of the lanes.
function Request:pieces(bytes)
  local pieces = {}
  for _, row in ipairs(self.lanes) do
    for piece = row.address // bytes, (row.address + row.bytes - 1) // bytes do
      pieces[piece] = pieces[piece] or {}
      table.insert(pieces[piece], row)
    end
  end
  return pieces
end

function Request:sectors() return count(self:pieces(32)) end
function Request:lines() return count(self:pieces(128)) end

function Request:used_bytes()
  return count(self:pieces(1))
end

function Request:wavefronts()
  local most = 0
  for _, row in ipairs(self.lanes) do
    most = math.max(most, row.wavefront + 1)
  end
  return most
end

return data
