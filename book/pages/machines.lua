-- Fills the page "Machines" from gallery.tsv, which tools/measured.py writes.

local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
package.path = here .. '/?.lua;' .. here .. '/../filters/lib/?.lua;' ..
               package.path

local fill = require 'fill'
local stringify = pandoc.utils.stringify

-- Not the book's own kernels: what they are compared with.
local of_others = {copy = true, cublas = true, cub = true}

local function read(path)
  local found = {machines = {}, ladders = {}}
  local by_machine, by_ladder = {}, {}
  for _, cells in ipairs(fill.rows(path)) do
    local kind, name = cells[1], cells[2]
    if kind == 'machine' then
      by_machine[name] = {name = name, contributed = cells[3] == 'contributed',
                          facts = {}}
      table.insert(found.machines, by_machine[name])
    elseif kind == 'fact' then
      by_machine[name].facts[cells[3]] = cells[4]
    elseif kind == 'ladder' then
      by_ladder[name] = {name = name, title = cells[3], unit = cells[4],
                         slug = cells[5], versions = {}, rates = {}}
      table.insert(found.ladders, by_ladder[name])
    else
      local ladder, version = by_ladder[name], cells[3]
      if not ladder.rates[version] then
        ladder.rates[version] = {}
        table.insert(ladder.versions, version)
      end
      ladder.rates[version][cells[4]] = {value = tonumber(cells[5]),
                                         doubt = cells[6]}
    end
  end
  return found
end

-- Three digits are more than two runs agree on.
local function shown(rate)
  if not rate then return '' end
  local value = rate.value
  local digits = value >= 100 and 0 or value >= 10 and 1 or 2
  local text = string.format('%.' .. digits .. 'f', value)
  local whole, rest = text:match('^(%d+)(.*)$')
  if #whole > 4 then
    whole = whole:gsub('^(%d+)(%d%d%d)$', '%1\u{202F}%2')
  end
  return whole .. rest .. rate.doubt
end

local function words(n)
  local small = {'one machine', 'two machines', 'three machines'}
  return small[n] or n .. ' machines'
end

local function count(machines)
  local n = 0
  for _, machine in ipairs(machines) do
    if machine.contributed then n = n + 1 end
  end
  local ours = #machines - n
  local all = 'The authors measured on ' .. words(ours) .. '. '
  if n == 0 then
    return fill.para(all .. 'No reader has sent one yet, so these tables say ' ..
      'little about other GPUs: yours would be the first.')
  end
  return fill.para(all .. 'Readers have sent ' .. words(n) .. '; what those ' ..
    'did is checked for its form, and was not measured again.')
end

local function facts(machines)
  local rows = {}
  for i, machine in ipairs(machines) do
    local known = machine.facts
    rows[i] = {}
    local function fact(key) return known[key] or '' end
    for _, text in ipairs{machine.name, fact('gpu'), fact('compute_capability'),
        fact('driver'), fact('toolkit'), fact('cpu'), fact('date'):sub(1, 10),
        machine.contributed and 'a reader' or 'authors'} do
      local cell = fill.item(text)
      if text:match('^%d+%-%d+%-%d+$') then    -- a date in one line
        cell = {pandoc.Plain{pandoc.Span(text, {class = 'whole'})}}
      end
      table.insert(rows[i], cell)
    end
  end
  return fill.table('The machines', {'Machine', 'GPU', 'Compute capability',
    'Driver', 'CUDA Toolkit', 'CPU', 'Measured', 'By'}, rows)
end

local function best(ladder, machine)
  local found
  for _, version in ipairs(ladder.versions) do
    local rate = ladder.rates[version][machine.name]
    if rate and not of_others[version] and
       (not found or rate.value > found.value) then
      found = rate
    end
  end
  return found
end

local function aligned(n)
  local aligns = {'AlignLeft'}
  for i = 2, n do aligns[i] = 'AlignRight' end
  return aligns
end

local function glance(found)
  local heads, rows = {'Machine'}, {}
  for i, ladder in ipairs(found.ladders) do
    heads[i + 1] = ladder.title .. ' (' .. ladder.unit .. ')'
  end
  for i, machine in ipairs(found.machines) do
    rows[i] = {fill.item(machine.name)}
    for k, ladder in ipairs(found.ladders) do
      rows[i][k + 1] = fill.item(shown(best(ladder, machine)))
    end
  end
  return fill.table('The fastest of the kernels of the book', heads, rows,
                    aligned(#heads))
end

local function ladder_table(ladder, machines)
  local heads, rows, there = {'Version'}, {}, {}
  for _, machine in ipairs(machines) do
    if best(ladder, machine) then
      there[#there + 1] = machine
      heads[#heads + 1] = machine.name .. ' (' .. ladder.unit .. ')'
    end
  end
  for i, version in ipairs(ladder.versions) do
    rows[i] = {{pandoc.Plain{pandoc.Code(version)}}}
    for k, machine in ipairs(there) do
      rows[i][k + 1] = fill.item(shown(ladder.rates[version][machine.name]))
    end
  end
  return fill.table(ladder.title, heads, rows, aligned(#heads))
end

local function ladders(found, titles)
  local blocks = pandoc.Blocks{}
  for _, ladder in ipairs(found.ladders) do
    if #ladder.versions > 0 then
      blocks:insert(pandoc.Header(3, fill.words(ladder.title),
                                  pandoc.Attr('ladder-' .. ladder.name)))
      if titles[ladder.slug] then
        local said = fill.words('The steps are those of the chapter ')
        said:insert(pandoc.Link(fill.words(titles[ladder.slug]),
                                ladder.slug .. '.html'))
        said:insert(pandoc.Str('.'))
        blocks:insert(pandoc.Para(said))
      end
      blocks:insert(ladder_table(ladder, found.machines))
    end
  end
  return blocks
end

function Pandoc(doc)
  local found = read(stringify(doc.meta['book-gallery']))
  local titles = {}
  for _, cells in ipairs(fill.rows(stringify(doc.meta['book-outline']))) do
    titles[cells[2]] = cells[4]
  end
  return fill.fill(doc, {
    ['gallery-count'] = function() return {count(found.machines)} end,
    ['gallery-facts'] = function() return {facts(found.machines)} end,
    ['gallery-glance'] = function() return {glance(found)} end,
    ['gallery-ladders'] = function() return ladders(found, titles) end,
  })
end
