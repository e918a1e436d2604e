-- Results as drawings read them: rows of a CSV by the names of its columns.
-- What is not there is an error, never an empty place in a drawing.
--
--   local t = data.csv('hardware/rates')            bench/hardware/rates.<machine>.csv
--   t:one{version = 'fp32_fma'}.per_clock           one value
--   for _, row in ipairs(t:select{…}) do … end      rows, in the file's order
--   data.requests('coalescing/worst_access', {space = 'global'})

local csv = require 'csv'

local data = {machine = 'reference'}   -- render.lua says which that is

local fail = csv.fail

local Table = setmetatable({}, csv)
Table.__index = Table

-- What a row of this table is asked for: its cell of that name, a number where
-- it is one. A mask of lanes is hexadecimal, and 1e00 of it not a one. A map of all lanes has a million cells, of which few are looked at.
local function cells_by_name(table_)
  return {__index = function(row, name)
    local cell = rawget(row, table_:column(tostring(name)))
    local value = not name:find('_mask$') and tonumber(cell) or cell
    rawset(row, name, value)
    return value
  end}
end

local files = {}

-- A file that the head of the script declares.
function data.file(path)
  if not files[path] then
    local read = csv.read(path)
    local by_name = cells_by_name(read)
    for _, row in ipairs(read.rows) do setmetatable(row, by_name) end
    files[path] = setmetatable(read, Table)
  end
  return files[path]
end

-- The lines of a result that is text, such as PTX.
function data.lines(path)
  local file = io.open(path, 'rb')
  if not file then
    fail(path, 'no such file',
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

function Table:one(wanted)
  local found = self:select(wanted)
  if #found > 1 then
    fail(self.path, string.format('%d rows have %s, one was expected', #found,
                                  csv.words(wanted)), 'name more columns')
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
  for _, row in ipairs(data.software(experiment):select(wanted or {})) do
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
    fail(experiment, string.format('it has %d such requests, not %d', #found,
                                   which), 'correct the number')
  elseif not which and #found ~= 1 then
    fail(experiment, string.format('it has %d such requests, one was expected',
                                   #found), 'name more columns, or its number')
  end
  return found[which or 1]
end

-- The words of shared memory that such accesses touch, as a set.
function data.words(experiment, wanted)
  local words = {}
  for _, row in ipairs(data.software(experiment):select(wanted)) do
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
