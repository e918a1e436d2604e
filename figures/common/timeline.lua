-- From a trace (a row for each warp and instruction, as the software device writes
-- it) to what gnuplot draws: instructions from left to right, lanes from top to
-- bottom.
--
--   timeline LAYER CSV WHERE PATHS
--
-- WHERE says whose instructions, usually "warp=0". PATHS, "24-27:1 29-33:2", are
-- source lines and the number of their path; other lines are of path 0, and
-- line 0 (no line information) belongs to the path of the instruction before.
-- LAYER is what to print:
--
--   runs     x0,x1,lane,path,on: a lane takes part from x0 to x1; on is 0 where
--            its predicate is false
--   spots    x,lane,tip: the middle of each run, and what is to be said of it
--   names    the opcodes in one line, without their types
--   extent   how many instructions there are
--   summary  one line of text

local csv = require 'csv'

local function path_of(paths, line)
  for first, last, path in paths:gmatch('(%d+)-(%d+):(%d+)') do
    if line >= tonumber(first) and line <= tonumber(last) then
      return tonumber(path)
    end
  end
  return 0
end

local function read(file, where, paths)
  local table_, steps, path = csv.read(file), {}, 0
  for i, row in ipairs(table_:select(where)) do
    local function of(name) return row[table_:column(name)] end
    local line, opcode = tonumber(of('line')), of('opcode'):match('^[^.]*')
    if line > 0 then path = path_of(paths, line) end
    -- Of a branch, the executed lanes are those that jump; all evaluate it.
    local is_jump = opcode:find('^bra') or opcode:find('^brx') or
                    opcode:find('^ret') or opcode:find('^exit')
    steps[i] = {path = path, opcode = opcode,
                active = tonumber(of('active_mask'), 16),
                executed = tonumber(of(is_jump and 'active_mask' or
                                       'executed_mask'), 16)}
  end
  return steps
end

local function has(mask, lane) return mask >> lane & 1 == 1 end

-- Calls say(first, last, lane, path, on) for each stretch in which a lane does
-- the same.
local function each_run(steps, say)
  for lane = 0, 31 do
    local first, path, on
    for k = 1, #steps + 1 do
      local step = steps[k]
      local takes_part = step and has(step.active, lane)
      local is_on = takes_part and has(step.executed, lane)
      if first and not (takes_part and path == step.path and on == is_on) then
        say(first, k - 1, lane, path, on)
        first = nil
      end
      if takes_part and not first then first, path, on = k, step.path, is_on end
    end
  end
end

local layers = {}

function layers.runs(steps)
  print('x0,x1,lane,path,on')
  each_run(steps, function(first, last, lane, path, on)
    print(string.format('%d,%d,%d,%d,%d', first - 1, last, lane, path,
                        on and 1 or 0))
  end)
end

function layers.spots(steps)
  print('x,lane,tip')
  each_run(steps, function(first, last, lane, _, on)
    local said = last > first and 's ' .. first .. ' to ' .. last or
                 ' ' .. first
    print(string.format('%.1f,%d,instruction%s%s', (first + last - 1) / 2, lane,
                        said, on and '' or ' not executed'))
  end)
end

function layers.names(steps)
  local names = {}
  for k, step in ipairs(steps) do names[k] = step.opcode end
  print(table.concat(names, ' '))
end

function layers.extent(steps) print(#steps) end

function layers.summary(steps)
  local lanes = 0
  for _, step in ipairs(steps) do
    for lane = 0, 31 do lanes = lanes + (step.executed >> lane & 1) end
  end
  print(string.format('%d instructions, %.1f of 32 lanes active on average',
                      #steps, lanes / #steps))
end

return function(layer, file, where, paths)
  layers[layer](read(file, where, paths))
end
