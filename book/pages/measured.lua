-- Fills the page "How these numbers were made" from heads.tsv (tools/measured.py).

local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
package.path = here .. '/?.lua;' .. here .. '/../filters/lib/?.lua;' ..
               package.path

local escape = require 'escape'
local fill = require 'fill'
local stringify = pandoc.utils.stringify
local words = fill.words
local latex = FORMAT:match('latex') ~= nil

-- ---- Reading ---------------------------------------------------------------

-- bounds by name, and a list of machines: each has its name and a list of
-- experiments, which are tables of the head's values.
local function read(path)
  local bounds, machines, by_name = {}, {}, {}
  for _, cells in ipairs(fill.rows(path)) do
    local name, machine, key, value = table.unpack(cells)
    if name == 'bounds' then
      bounds[key] = value
    else
      local set = by_name[machine]
      if not set then
        set = {name = machine}
        by_name[machine] = set
        machines[#machines + 1] = set
      end
      local last = set[#set]
      if not last or last.experiment ~= name then
        last = {experiment = name}
        set[#set + 1] = last
      end
      last[key] = value
    end
  end
  return bounds, machines
end

-- ---- What all experiments of a machine have in common ----------------------

local function short_commit(text)
  return (text:gsub('^(%x%x%x%x%x%x%x%x%x%x)%x+', '%1'))
end

local function day(date) return date:match('^%d%d%d%d%-%d%d%-%d%d') or date end

-- The different values of a key, in the order of the experiments.
local function values(set, key, change)
  local list, known = {}, {}
  for _, head in ipairs(set) do
    local value = head[key]
    if value and value ~= '' then
      value = change and change(value) or value
      if not known[value] then list[#list + 1] = value end
      known[value] = true
    end
  end
  return list
end

-- "1410 to 1980" of the smallest and the largest number of some keys.
local function range(set, ...)
  local least, most
  for _, key in ipairs {...} do
    for _, value in ipairs(values(set, key)) do
      local number = tonumber(value)
      if number then
        least = math.min(least or number, number)
        most = math.max(most or number, number)
      end
    end
  end
  if not least then return nil end
  local function shown(x) return string.format('%.6g', x) end
  return least == most and shown(least) or shown(least) .. ' to ' .. shown(most)
end

local function sorted(list)
  table.sort(list)
  return list
end

-- A command line; on paper it may be broken between words and after commas.
local function code(text)
  if not latex then return {pandoc.Code(text)} end
  local list = pandoc.Inlines{pandoc.RawInline('latex', '\\raggedright{}')}
  for word in text:gmatch('%S+') do
    list:insert(pandoc.Space())
    for part in word:gmatch('[^,]+,?') do
      list:insert(pandoc.Code(part))
      list:insert(pandoc.RawInline('latex', '\\allowbreak{}'))
    end
  end
  return list
end

local function facts(set)
  local items = pandoc.List()
  local function add(what, text, unit)
    if text and text ~= '' then
      items:insert(fill.item(what .. ': ' .. text .. (unit or '')))
    end
  end
  local function join(key, change)
    return table.concat(values(set, key, change), '; ')
  end
  add('Compute capability', join('compute_capability'))
  local driver = join('driver')
  add('Driver', driver ~= 'none' and driver or nil)
  add('CUDA Toolkit', join('toolkit'))
  add('Host processor', join('cpu'))
  local dates = sorted(values(set, 'date', day))
  add('Measured', dates[1] == dates[#dates] and dates[1] or
      dates[1] .. ' to ' .. dates[#dates])
  add('Commits', join('commit', short_commit))
  add('Clock of the multiprocessors while busy',
      range(set, 'clocks_sm_busy_mhz'), ' MHz')
  add('Clock of the multiprocessors before and after the runs',
      range(set, 'clocks_sm_before_mhz', 'clocks_sm_mhz'), ' MHz')
  add('Clock of the memory',
      range(set, 'clocks_memory_before_mhz', 'clocks_memory_mhz'), ' MHz')
  add('Temperature', range(set, 'temperature_before_c', 'temperature_after_c',
                           'temperature_highest_c'), ' °C')
  local slowed = values(set, 'throttle_reasons')
  add('Reasons for lower clocks', table.concat(slowed, '; '))
  add('Other programs on the GPU', range(set, 'other_processes'))
  for _, flags in ipairs(values(set, 'compile_flags')) do
    items:insert{pandoc.Plain(words('Compiled with ') .. code(flags))}
  end
  return pandoc.BulletList(items)
end

-- ---- Each experiment -------------------------------------------------------

local function spread(head)
  local median, largest = head.spread_percent_median,
                          head.spread_percent_largest
  if not median then return '' end
  return median .. '\u{a0}/\u{a0}' .. largest
end

local function clock(head)
  local before, after = head.clocks_sm_before_mhz, head.clocks_sm_mhz
  return head.clocks_sm_busy_mhz or
         before and after and before .. '\u{a0}/\u{a0}' .. after or after or ''
end

local function degrees(head)
  local before, after = head.temperature_before_c, head.temperature_after_c
  return before and after and before .. '\u{a0}/\u{a0}' .. after or ''
end

local columns = {
  {'Experiment', function(head) return head.experiment end},
  {'Measured', function(head) return day(head.date or '') end},
  {'Commit', function(head) return short_commit(head.commit or '') end},
  {'Repetitions', function(head) return head.repetitions or '' end, true},
  {'Spread in %', spread, true},
  {'Clock in MHz', clock, true},
  {'°C', degrees, true},
  {'Seconds', function(head) return head.seconds or '' end, true},
  {'Command', function(head) return head.command or '' end, false, true},
}

-- Does this column say what the list above it does not?
local function says_something(set, column)
  local first, some, differ = column[2](set[1]), false, false
  for _, head in ipairs(set) do
    local text = column[2](head)
    some = some or text ~= ''
    differ = differ or text ~= first
  end
  return some and (differ or column[1] ~= 'Commit')
end

-- On paper no commands: the notes of the chapters have them.
local function shown_columns(set)
  return pandoc.List(columns):filter(function(column)
    local wide = column[4] or column[1] == 'Seconds'
    return says_something(set, column) and not (latex and wide)
  end)
end

local function cell(text, is_code)
  if text == '' then return {} end
  return {pandoc.Plain{is_code and pandoc.Code(text) or pandoc.Str(text)}}
end

local function experiments(set, title)
  local list, body = shown_columns(set), {}
  for i, head in ipairs(set) do
    body[i] = list:map(function(column)
      return cell(column[2](head), column[4])
    end)
  end
  return fill.table(latex and '' or title,
    list:map(function(column) return column[1] end), body,
    list:map(function(column)
      return column[3] and 'AlignRight' or 'AlignLeft'
    end))
end

local function doubts(set)
  local items = pandoc.List()
  for _, head in ipairs(set) do
    for _, key in ipairs {'doubt', 'stale'} do
      local reason = head[key]
      if reason and reason ~= '' then
        items:insert(fill.item(head.experiment .. ': ' .. reason .. '.'))
      end
    end
  end
  if #items == 0 then return nil end
  return pandoc.Div({fill.para('Doubtful or stale:'), pandoc.BulletList(items)},
                    pandoc.Attr('', {'doubt-note'}, {{'role', 'note'}}))
end

local function section(set)
  local gpu = values(set, 'gpu')[1] or set.name
  local title = gpu .. ' (' .. set.name .. ')'
  if latex then title = escape.breaks(title) end
  local blocks = pandoc.Blocks{
    pandoc.Header(3, words(title),
                  pandoc.Attr('machine-' .. set.name, {'unnumbered'})),
    facts(set)}
  local notes = doubts(set)
  if notes then blocks:insert(notes) end
  blocks:insert(experiments(set, 'Experiments on ' .. title))
  if #values(set, 'spread_percent_median') > 0 then
    blocks:insert(fill.para(
      'Spread: median and largest of the experiment. Two clocks or ' ..
      'temperatures: before and after.'))
  end
  return blocks
end

local function quoted(sets)
  local names = {}
  for i, set in ipairs(sets) do
    local parts = {}
    for j, head in ipairs(set) do parts[j] = head.experiment end
    names[i] = table.concat(parts, ', ') .. ' (' .. set.name .. ', ' ..
               table.concat(values(set, 'date'), ', ') .. ')'
  end
  return fill.para('Quoted from other publications, not measured with this ' ..
                   'book: ' .. table.concat(names, '; ') .. '.')
end

-- What was copied out of a publication names no commit of ours.
local function is_quoted(set)
  return (set[1].commit or ''):match('^none') ~= nil
end

local function all(machines)
  local blocks, copied = pandoc.Blocks{}, {}
  for _, set in ipairs(machines) do
    if is_quoted(set) then
      copied[#copied + 1] = set
    else
      blocks:extend(section(set))
    end
  end
  if #copied > 0 then blocks:insert(quoted(copied)) end
  if #blocks == 0 then
    blocks:insert(fill.para(
      'No result has been recorded yet: run ./course bench.'))
  end
  -- In print: lists of commits and flags have few places to break at.
  blocks:insert(1, pandoc.RawBlock('latex', '\\sloppy'))
  return blocks
end

function Pandoc(doc)
  local bounds, machines = read(stringify(doc.meta['book-heads']))
  doc = doc:walk{Span = function(span)
    if not span.classes:includes('bound') then return nil end
    local name = stringify(span.content)
    return pandoc.Str(assert(bounds[name],
      'tools/results/conditions.py has no ' .. name))
  end}
  return fill.fill(doc, {
    ['measured-machines'] = function() return all(machines) end})
end
