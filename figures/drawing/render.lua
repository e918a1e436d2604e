-- Draws one figure: lua5.4 render.lua SCRIPT ID TITLE FOLDER MACHINE
--
-- Writes FOLDER/figure.svg (wide, for the page), FOLDER/figure.narrow.svg
-- (for phones) and FOLDER/print.svg. The script is run once for each width; it
-- has `d` (the canvas) and `data` and nothing else that could read a file.

local here = arg[0]:match('^(.*)/') or '.'
package.path = here .. '/?.lua;' .. here .. '/../common/?.lua;' .. package.path

local Canvas = require 'canvas'
require 'maps'
require 'timeline'
local data = require 'data'
local text = require 'text'

local script, id, title, folder, machine = table.unpack(arg)

-- "script:line: error: message" and the remedy; of a result, its file as well.
local function stop(problem, at)
  local file = problem.path and problem.path .. (problem.line and
               ':' .. problem.line or '') .. ': ' or ''
  io.stderr:write(string.format('%s:%d: error: %s%s\n', script, at, file,
                                problem.message))
  if problem.remedy then io.stderr:write('  ', problem.remedy, '\n') end
  os.exit(1)
end

-- The script's line that is being run, of an error anywhere below it.
local function explain(problem)
  local line = 1
  for level = 2, 40 do
    local at = debug.getinfo(level, 'Sl')
    if not at then break end
    if at.source == '@' .. script then line = at.currentline break end
  end
  if type(problem) ~= 'table' then
    local own, said = tostring(problem):match(':(%d+): (.*)$')
    if tostring(problem):find(script, 1, true) and own then
      line, problem = tonumber(own), said
    end
    problem = {message = tostring(problem)}
  end
  problem.at = line
  return problem
end

local function draw(narrow, page)
  local canvas = Canvas.new(narrow)
  local world = {d = canvas, data = data, number = text.number,
                 grouped = text.grouped, math = math, string = string,
                 table = table, ipairs = ipairs, pairs = pairs,
                 tostring = tostring, tonumber = tonumber, error = error,
                 assert = assert, select = select}
  local chunk, problem = loadfile(script, 't', world)
  if not chunk then
    local line, said = problem:match(':(%d+): (.*)$')
    stop({message = said or problem}, tonumber(line) or 1)
  end
  local ok, why = xpcall(chunk, explain)
  if not ok then stop(why, why.at) end
  local drawn, svg = pcall(canvas.svg, canvas, {
    id = id, title = title, page = page, machines = machine .. ' (alone)'})
  if not drawn then
    if type(svg) ~= 'table' then svg = {message = tostring(svg)} end
    stop(svg, 1)
  end
  return svg
end

data.machine = machine
for _, version in ipairs {{'figure.svg', false, true},
                          {'figure.narrow.svg', true, true},
                          {'print.svg', false, false}} do
  local svg = draw(version[2], version[3])
  local file = assert(io.open(folder .. '/' .. version[1], 'wb'))
  assert(file:write(svg))
  assert(file:close())
end
