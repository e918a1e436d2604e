-- Which words make a sentence one about measured things.  Kinds, from weak to
-- strong:
--
--   number       digits, large numbers in words, fractions, "twice", "times"
--   comparison   "fewer", "more … than", "as many … as", "at least", "best"
--   count        one of those two about what a counter counts: "fewer
--                sectors", "twice as many requests"
--   speed        "faster", "slowest", "cheaper", "takes longer": measurable
--   figure       a number with a unit of time, rate or share: "3 ms", "40 %"
--
-- The last three must come from a run (see sentence.lua).  Innocent are small
-- counts in words ("two kernels"), 0 and 1, ordinals, numbers that name
-- something ("block 3", "CUDA 13.0", "lanes 0 to 31"), shapes ("32 × 32"),
-- kinds ("16-byte words"), code, and names with digits in them ("H200").

local sentences = require 'sentences'
local set = require('words').set

local M = {}

local small = set [[two three four five six seven eight nine ten eleven
  twelve]]
local large = set [[thirteen fourteen fifteen sixteen seventeen eighteen
  nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred
  hundreds thousand thousands million millions billion billions]]

local data_units = set [[byte bytes bit bits kb mb gb tb kib mib gib kilobyte
  kilobytes megabyte megabytes gigabyte gigabytes]]
local measured_units = set [[ns µs μs us ms s second seconds nanosecond
  nanoseconds microsecond microseconds millisecond milliseconds minute minutes
  hour hours cycle cycles b/s kb/s mb/s gb/s tb/s flop/s gflop/s tflop/s hz
  mhz ghz w watt watts °c % percent]]

-- "block 3": the number is a name.
local named = set [[block warp lane thread row column bank word sector
  element line step version level page chapter gpu device core multiprocessor
  sm stream register bit index number item part exercise argument stage
  round iteration tile cuda capability driver isa ptx debian ubuntu pandoc
  meson gcc opencl openmp openacc fortran python c c++ node rank process
  dimension figure table listing section appendix issue bin slot way case
  error code status pixel vertex cell entry phase pass question generation]]
local joins = set [[to and or … – — - through until]]

local speed = set [[faster fastest slower slowest quicker quickest cheaper
  cheapest speedup speedups outperforms outperform outruns outrun outpaces
  outpace outdoes outdo beats beat beaten wins win won overtakes overtake
  overtaken]]
local plain_comparison = set [[fewer fewest best worst tenfold twofold
  threefold fourfold fivefold sixfold hundredfold thousandfold halved doubled
  tripled quadrupled useless worthless]]
local fraction = set [[twice thrice quarters thirds]]
local measured_things = set [[time bandwidth throughput traffic requests
  sectors bytes instructions wavefronts conflicts cycles latency occupancy
  transactions accesses misses]]
local no_comparison = set [[rather other others otherwise else younger older
  newer earlier later sooner different differently]]
local sizes = set [[much many few little fast slow large big small high low
  quick cheap good bad wide often expensive efficient]]
local open_end = set [[you possible needed necessary it there we they
  wanted fit]]

-- ---- Words ---------------------------------------------------------------

-- What "16-byte," is about: "16" and "byte"; a name such as "H200" stays.
local function split(list, word)
  local text = word.text
  if not text:find('%A') then     -- most are only letters
    list[#list + 1] = {text = text, low = text:lower(), covered = word.covered}
    return
  end
  text = text:gsub('\u{A0}', ' ')
  for part in text:gmatch('[^%s/]+/?[^%s]*') do
    local bare = part:gsub('^[%(%[{"\'“‘]+', ''):gsub('^‘', '')
    bare = bare:gsub('[%)%]}"\',%.;:%?!]+$', '')
    for _, mark in ipairs {'”', '’', '…', '“', '‘'} do
      if bare ~= mark and bare:sub(-#mark) == mark then
        bare = bare:sub(1, -#mark - 1)
      end
      if bare ~= mark and bare:sub(1, #mark) == mark then
        bare = bare:sub(#mark + 1)
      end
    end
    bare = bare:gsub('[%)%]}"\',%.;:%?!]+$', '')
    local stop = part:match('[,;:%.%?!]$')
    local pieces = {}
    for piece in bare:gmatch('[^%-]+') do pieces[#pieces + 1] = piece end
    if #pieces == 0 then pieces[1] = bare end
    for i, piece in ipairs(pieces) do
      -- "16MB", "3ms", "40%": the unit stands by itself.
      local number, unit = piece:match('^(%d[%d%.,]*)(%a[%a/]*)$')
      if not number then number, unit = piece:match('^(%d[%d%.,]*)(%%)$') end
      if not number then number, unit = piece:match('^(%d[%d%.,]*)(µs)$') end
      -- "the 1970s" is no time of 1970 seconds.
      if unit == 's' and number:match('^[12]%d%d0$') then unit = nil end
      local known = unit and (measured_units[unit:lower()] or
                              data_units[unit:lower()])
      for _, text_ in ipairs(known and {number, unit} or {piece}) do
        list[#list + 1] = {text = text_, low = text_:lower(),
                           covered = word.covered, joined = i > 1,
                           stop = i == #pieces and stop or nil}
      end
    end
  end
end

local function words_of(sentence)
  local list = {}
  for _, word in ipairs(sentence.words) do split(list, word) end
  return list
end

local function low(list, i)
  return list[i] and list[i].low or ''
end

-- "32 × 32": the shape of something, which its listing says.
local function is_shape(list, i)
  return low(list, i + 1) == '×' or low(list, i - 1) == '×'
end

-- "all 32 lanes", "the 32 banks": all that a warp or a memory has.
local whole = set [[the all its their these those both other]]
local parts_of_32 = set [[lane lanes bank banks thread threads]]

local function is_whole(list, i)
  return list[i].low == '32' and whole[low(list, i - 1)] and
         parts_of_32[low(list, i + 1)]
end

-- "16-byte words": what kind of words they are.
local function is_kind(list, i)
  local after = list[i + 1]
  return after and after.joined and
         (data_units[after.low] or after.low == 'word')
end

local function is_digits(text)
  return text:match('^[~±+]?%d') and not text:match('^%d+[dD]$') and
         not text:match('^%d*1st$') and not text:match('^%d*2nd$') and
         not text:match('^%d*3rd$') and not text:match('^%d+th$') and
         not text:match('^%d+%.%d+%.%d')
end

local function names_something(list, i)
  local before = low(list, i - 1)
  return named[before] or named[before:match('^(.*)s$') or ''] or
         named[before:match('^(.*)es$') or '']
end

-- "lanes 0 to 31": a number joined to one that names something is a name too.
local function is_name(list, i)
  if names_something(list, i) then return true end
  local back = i - 1
  if joins[low(list, back)] then back = back - 1 end
  return back >= 1 and back < i and list[back].is_name == true
end

-- "One GB/s", "100 %": what a unit means and what a whole is can be given;
-- another time, rate or share was measured.
local function given(list, i)
  local word = list[i].low
  return word == 'one' or word == '1' or word == 'a' or word == '100' or
         word == '0'
end

-- ---- Rules: each gives a kind, or nil, for the word at i; and whether only
-- a measurement can have given it ------------------------------------------

local function number(list, i)
  local word, after = list[i].low, low(list, i + 1)
  local digits = is_digits(word)
  local counts = digits or small[word] or large[word] or word == 'half' or
                 word == 'one' or word == 'few' or word == 'some' or
                 word == 'several' or word == 'many'
  if counts and measured_units[after] and not word:match('^%d+s$') and
     not ((word == 'half' or word == 'one') and after == 's') then
    return 'figure', not given(list, i)
  end
  if (digits or small[word] or large[word]) and after == 'times' then
    return speed[low(list, i + 2)] and 'figure' or 'number'
  end
  if digits then
    if is_name(list, i) then
      list[i].is_name = true
      return nil
    end
    if is_shape(list, i) or is_whole(list, i) or is_kind(list, i) then
      return nil
    end
    return (word ~= '0' and word ~= '1') and 'number' or
           (data_units[after] and 'number' or nil)
  end
  if large[word] then return 'number' end
  if small[word] and data_units[after] and not is_kind(list, i) then
    return 'number'
  end
end

local half_is_part = set [[which first second other upper lower latter former s
  device's host's device’s host’s either each]]

local function share(list, i)
  local word, before, after = list[i].low, low(list, i - 1), low(list, i + 1)
  if fraction[word] then return 'number' end
  if word == 'half' then
    if half_is_part[before] or after == 'precision' or after == 'warp' or
       after == 'warps' or before:match("['’]s$") or
       (before == 'the' and after ~= 'of' and after ~= 'the') then
      return nil
    end
    return 'number'
  end
  if (word == 'third' or word == 'quarter') and
     (before == 'a' or before == 'one') and
     (word == 'quarter' or after == 'of' or list[i].stop) then
    return 'number'
  end
end

local waits = set [[take takes took taking taken last lasts wait waits run
  runs running much far]]

local function faster(list, i)
  local word, before, after = list[i].low, low(list, i - 1), low(list, i + 1)
  if speed[word] then return 'speed' end
  if (word == 'longer' or word == 'shorter') and
     (waits[before] or after == 'time' or after == 'times') then
    return 'speed'
  end
  if word == 'equally' and sizes[after] then return 'speed' end
  if word == 'ahead' and after == 'of' then return 'speed' end
  if word == 'by' and after == 'a' and low(list, i + 2) == 'mile' then
    return 'speed'
  end
  if word == 'same' and (after == 'time' or after == 'speed') and
     low(list, i - 2) ~= 'at' and low(list, i - 3) ~= 'at' then
    return 'speed'
  end
end

local function than(list, i)
  if list[i].low ~= 'than' then return nil end
  for back = i - 1, math.max(1, i - 5), -1 do
    if no_comparison[list[back].low] then return nil end
  end
  local after = low(list, i + 1)
  if low(list, i - 1) == 'more' and (after == 'one' or after == 'once') then
    return nil
  end
  for back = i - 1, math.max(1, i - 12), -1 do
    local word = list[back].low
    if word == 'more' or word == 'less' or word == 'better' or
       word == 'worse' or word:match('%a%aer$') then
      return 'comparison'
    end
  end
end

local function as_as(list, i)
  if list[i].low ~= 'as' or not sizes[low(list, i + 1)] then return nil end
  for ahead = i + 2, math.min(#list, i + 6) do
    if list[ahead].low == 'as' then
      return not open_end[low(list, ahead + 1)] and 'comparison' or nil
    end
  end
end

local function comparison(list, i)
  local word, before, after = list[i].low, low(list, i - 1), low(list, i + 1)
  if word == 'best' and (after == 'to' or before == 'at') then return nil end
  if plain_comparison[word] then return 'comparison' end
  if (word == 'more' or word == 'less') and measured_things[after] then
    return 'comparison'
  end
  if (word == 'larger' or word == 'smaller' or word == 'higher' or
      word == 'lower') and (measured_things[after] or after == 'share') then
    return 'comparison'
  end
  if word == 'at' and (after == 'least' or after == 'most') and
     low(list, i + 2) ~= 'one' then
    return 'comparison'
  end
  if word == 'most' and after == 'of' and low(list, i + 2) == 'the' and
     measured_things[low(list, i + 3)] then
    return 'comparison'
  end
end

local rules = {number, share, faster, than, as_as, comparison}

M.rank = {number = 1, comparison = 2, count = 3, speed = 3, figure = 4}

-- What counters count, within a few words of a factor or a comparative.
local counted = set [[bandwidth throughput traffic requests sectors
  instructions wavefronts conflicts cycles latency transactions misses]]

local function is_of_counts(list, i)
  for ahead = i, math.min(i + 5, #list) do
    if ahead > i and counted[list[ahead].low] then return true end
    if list[ahead].stop then return false end
  end
  return false
end

-- Some words around the one at i, as a reader finds them.
local function shown(list, i, kind)
  local last = i
  if kind == 'figure' or low(list, i) == 'at' or low(list, i) == 'same' or
     low(list, i) == 'most' or low(list, i) == 'more' or
     low(list, i) == 'less' or low(list, i + 1) == 'times' then
    last = math.min(i + 1, #list)
  end
  local parts = {}
  for at = i, last do parts[#parts + 1] = list[at].text end
  return table.concat(parts, ' ')
end

-- "three times", "twice", "half", "tenfold": how many times as much.
local function is_factor(list, i)
  local word, after = low(list, i), low(list, i + 1)
  if after == 'times' or word:match('%afold$') then return true end
  return (fraction[word] or word == 'half' or word == 'third' or
          word == 'quarter') and
         (after == 'as' or after == 'of' or after == 'the')
end

-- All suspicious words: {kind, text, covered, measured, factor}.
function M.words(sentence)
  local list, found = words_of(sentence), {}
  for i = 1, #list do
    if list[i].low ~= sentences.object then
      for _, rule in ipairs(rules) do
        local kind, measured = rule(list, i)
        if kind then
          local factor = is_factor(list, i)
          if (kind == 'comparison' or kind == 'number' and factor) and
             is_of_counts(list, i) then
            kind = 'count'
          end
          found[#found + 1] = {kind = kind, covered = list[i].covered,
                               measured = measured or kind == 'speed',
                               factor = factor,
                               text = shown(list, i, kind)}
          break
        end
      end
    end
  end
  return found
end

return M
