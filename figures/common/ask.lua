-- What charts ask, as commands for gnuplot: style.gp has a function for each.
--
--   ask.lua rows CSV WHERE             the columns' names and the rows that fit
--   ask.lua cell CSV WHERE COLUMN      one value, of the only such row
--   ask.lua values CSV WHERE COLUMN    its different values, in the file's order
--   ask.lua least|most COLUMN CSV…     its extreme in all of these files
--   ask.lua crossing CSV X LOW HIGH    X of the first row from which on the column
--                                      LOW stays below HIGH, or nothing
--   ask.lua unfit CSV MODEL            why a reader's result cannot be drawn
--
-- WHERE is "column=value column=value"; a value may be a|b for either. The
-- commands of labels.lua are asked for here, too.

package.path = arg[0]:match('^(.*)/') .. '/?.lua;' .. package.path
local csv = require 'csv'

local answers = require 'labels'

function answers.rows(path, where)
  local table_ = csv.read(path)
  local rows = table_:select(where)
  print(table.concat(table_.names, ','))
  for _, row in ipairs(rows) do print(table.concat(row, ',')) end
end

function answers.cell(path, where, column)
  local table_ = csv.read(path)
  local rows = table_:select(where)
  local i = table_:column(column)
  if #rows > 1 then
    csv.fail(path, 'several rows have ' .. where .. '; one was expected')
  end
  print(rows[1][i])
end

function answers.values(path, where, column)
  local table_ = csv.read(path)
  local rows = table_:select(where)
  local i, known, list = table_:column(column), {}, {}
  for _, row in ipairs(rows) do
    if not known[row[i]] then list[#list + 1] = row[i] end
    known[row[i]] = true
  end
  print(table.concat(list, ' '))
end

local function extreme(is_beyond)
  return function(column, ...)
    local found
    for _, path in ipairs {...} do
      local table_ = csv.read(path)
      local i = table_:column(column)
      for _, row in ipairs(table_.rows) do
        local value = tonumber(row[i])
        if value and (not found or is_beyond(value, tonumber(found))) then
          found = row[i]
        end
      end
    end
    print(found)
  end
end
answers.least = extreme(function(a, b) return a < b end)
answers.most = extreme(function(a, b) return a > b end)

function answers.crossing(path, x, low, high)
  local table_, found = csv.read(path), nil
  local at, a, b = table_:column(x), table_:column(low), table_:column(high)
  for _, row in ipairs(table_.rows) do
    local is_below = tonumber(row[a]) < tonumber(row[b])
    found = is_below and (found or row[at]) or nil
  end
  print(found or '')
end

-- ---- A reader's result ------------------------------------------------------
-- It must have all columns of the reference's file, and wherever each of the
-- reference's cells is a number, a number; where a time or a rate is meant, one
-- above 0. ./course bench writes it so, and ./course import lets nothing else in.

local function number(text)
  return not text:find('[xX%s]') and tonumber(text) or nil
end

-- A gap is the difference of two times, and may come out below zero.
local function is_time_or_rate(name)
  return not name:find('spread') and not name:find('^gap_') and
         (name:find('_[umn]s$') or name:find('_per_%l+$'))
end

local function check(path, model)
  local mine, theirs = csv.read(path), csv.read(model)
  local missing = {}
  for _, name in ipairs(theirs.names) do
    if not mine.place[name] then missing[#missing + 1] = "'" .. name .. "'" end
  end
  if #missing > 0 then
    csv.fail(path, 'there is no column ' .. table.concat(missing, ', '), nil,
             mine.lines[1] - 1)
  end
  for i, name in ipairs(theirs.names) do
    local least = math.huge
    for _, row in ipairs(theirs.rows) do
      least = least and number(row[i]) and math.min(least, number(row[i]))
    end
    for n, row in ipairs(least and mine.rows or {}) do
      local text = row[mine.place[name]]
      local value = number(text)
      if not value then
        csv.fail(path, string.format("'%s' is '%s', not a number", name, text),
                 nil, mine.lines[n])
      elseif value <= 0 and least > 0 and is_time_or_rate(name) then
        csv.fail(path, string.format("'%s' is %s, which no run can give", name,
                                     text), nil, mine.lines[n])
      end
    end
  end
end

function answers.unfit(path, model)
  local ok, fault = pcall(check, path, model)
  if not ok then print((fault.line or 1) .. ': ' .. fault.message) end
end

-- ---- One answer ------------------------------------------------------------------

local ok, fault = xpcall(function()
  answers[arg[1]](table.unpack(arg, 2))
end, function(fault)
  return type(fault) == 'table' and fault or debug.traceback(fault)
end)
if not ok then
  io.stderr:write(fault.path and
                  fault.path .. ': error: ' .. fault.message or fault, '\n')
  os.exit(1)
end
