-- A warp over time, from a trace of the software device (a row for each warp and
-- instruction): instructions from left to right, lanes from top to bottom. A lane
-- that takes part is filled in the colour of its path, one whose predicate is
-- false is pale, one that waits is grey.

local shapes = require 'shapes'

-- Source lines that belong to a path, as "24-27:1 29-33:2"; other lines are of
-- path 0.
local function path_of(paths, line)
  for first, last, path in paths:gmatch('(%d+)-(%d+):(%d+)') do
    if line >= tonumber(first) and line <= tonumber(last) then
      return tonumber(path)
    end
  end
  return 0
end

-- What the warp did: {path, opcode, active, executed} for each row. Line 0 (no
-- line information) belongs to the path of the instruction before.
local function steps_of(trace, paths)
  local steps, path = {}, 0
  for i, row in ipairs(trace) do
    if row.line > 0 then path = path_of(paths, row.line) end
    local opcode = row.opcode:match('^[^.]*')
    -- Of a branch, the executed lanes are those that jump; all evaluate it.
    local is_jump = opcode:find('^bra') or opcode:find('^brx') or
                    opcode:find('^ret') or opcode:find('^exit')
    steps[i] = {path = path, opcode = opcode,
                active = tonumber(row.active_mask, 16),
                executed = tonumber(is_jump and row.active_mask or
                                    row.executed_mask, 16)}
  end
  return steps
end

local function has(mask, lane) return mask >> lane & 1 == 1 end

-- Calls say(first, last, path, on) for each stretch in which the lane does the
-- same.
local function each_run(steps, lane, say)
  local first, path, on
  for k = 1, #steps + 1 do
    local step = steps[k]
    local takes_part = step and has(step.active, lane)
    local is_on = takes_part and has(step.executed, lane)
    if first and not (takes_part and path == step.path and on == is_on) then
      say(first, k - 1, path, on)
      first = nil
    end
    if takes_part and not first then first, path, on = k, step.path, is_on end
  end
end

local function summary(steps)
  local lanes = 0
  for _, step in ipairs(steps) do
    for lane = 0, 31 do lanes = lanes + (step.executed >> lane & 1) end
  end
  return {'%d instructions, %.1f of 32 lanes active on average', #steps,
          lanes / #steps}
end

-- How many instructions are between two tics, so that their numbers are apart.
local function tics(each)
  for _, n in ipairs {5, 10, 20, 50} do
    if n * each >= 30 then return n end
  end
  return 100
end

local inks = {[0] = 'muted', 'path_0', 'path_1'}

-- trace: rows of one warp, data.software('x/y_trace'):select{warp = 0}. about:
-- title; paths; room, for how many instructions the axis has space; named, to name
-- them instead of counting them; unit, the words below the axis.
function shapes:timeline(y, trace, about)
  local steps = steps_of(trace, about.paths or '')
  local x = self.left + self:choose(46, 34)
  local w = self.width - self.left - x
  local each, high = w / (about.room or #steps), self:choose(4, 3.5)
  y = self:heading(x, y, w, about.title)
  self:text(x, y + 5, summary(steps), {size = 'small', role = 'muted'})
  y = y + 16
  self:rect(x, y, #steps * each, 32 * high, {fill = 'cell'})
  for lane = 0, 31 do
    local top = y + lane * high
    if lane % 8 == 0 or lane == 31 then
      self:text(x - 5, top + high / 2, lane == 0 and 'lane 0' or tostring(lane),
                {size = 'tiny', align = 'right', role = 'muted'})
    end
    each_run(steps, lane, function(first, last, path, on)
      local when = last > first and 's ' .. first .. ' to ' .. last or ' ' .. first
      self:rect(x + (first - 1) * each, top + 0.3, (last - first + 1) * each,
                high - 0.6,
                {fill = inks[path], tint = not on and 0.3 or nil, lane = lane,
                 tip = string.format('lane %d: instruction%s%s', lane, when,
                                     on and '' or ' not executed')})
    end)
  end
  self.panel = nil
  y = y + 32 * high
  if not about.named then
    return self:axis(x, y, w, 0, about.room or #steps, tics(each), about.unit)
  end
  local longest = 0
  for k, step in ipairs(steps) do
    local wide = self:text_width(step.opcode, 'tiny')
    longest = math.max(longest, wide)
    self:text(x + (k - 0.5) * each, y + 5 + wide, step.opcode,
              {size = 'tiny', turn = true})
  end
  return y + longest + 8
end

return shapes
