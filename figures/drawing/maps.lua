-- Requests of a warp as drawings: what it costs in wavefronts and banks, in
-- sectors and lines. Each draws at x, y and returns the y below it.

local data = require 'data'
local shapes = require 'shapes'
local text = require 'text'

local function names(rows)
  local first, last, n = rows[1].lane, rows[#rows].lane, #rows
  if n == 1 then return tostring(first), first end
  if n == 32 then return 'all' end
  return '×' .. n
end

-- Bank ledger of a request to shared memory: a row for each wavefront, a
-- column for each bank, in the cell the lane that is served. Several wavefronts
-- have the colour of conflicts unless you give a role.
function shapes:ledger(x, y, w, request, role)
  local passes = request:wavefronts()
  local head = (self.narrow or w < 400) and 0 or 74
  local cell = (w - head) / 32
  local high = head > 0 and 17 or math.min(13, 260 // passes)
  local served = {}
  for _, row in ipairs(request.lanes) do
    for byte = row.address, row.address + row.bytes - 1, 4 do
      local key = row.wavefront * 32 + byte // 4 % 32
      served[key] = served[key] or {}
      local known = served[key]
      if known[#known] ~= row then known[#known + 1] = row end
    end
  end
  if head > 0 then
    self:text(x + head - 8, y + 6, 'bank',
              {size = 'tiny', align = 'right', role = 'muted'})
    for k = 0, passes - 1 do
      self:text(x + head - 8, y + 14 + (k + 0.5) * 17, 'wavefront ' .. k + 1,
                {size = 'tiny', align = 'right', role = 'muted'})
    end
  end
  if head > 0 then
    self:numbers(x + head, y, w - head, 32, 1)
  else
    self:text(x, y + 6, 'bank 0', {size = 'tiny', role = 'muted'})
    for bank = 8, 31, 8 do
      self:text(x + (bank + 0.5) * cell, y + 6, tostring(bank),
                {size = 'tiny', align = 'middle', role = 'muted'})
    end
  end
  role = role or passes > 1 and 'conflict' or 'lane'
  return self:cells(x + head, y + 14, passes, 32, cell,
    high, function(k, bank)
      local rows = served[k * 32 + bank]
      if not rows then return nil end
      local label, lane = names(rows)
      if head == 0 or self:text_width(label, 'tiny') > cell then
        label = nil
      end
      return {fill = role, tint = 0.38, lane = lane, label = label,
              tip = string.format('lane %s: bank %d; wavefront %d of %d',
                                  lane or label, bank, k + 1, passes)}
    end)
end

-- How dark a lane is where all 32 are drawn: from lane 0 to lane 31.
function shapes.shade(lane) return 0.4 + 0.6 * lane / 31 end

-- Line stack of a request to global memory: a row for each 128-byte line that
-- it touches, so that area means bytes. Each lane's bytes are darker than
-- those of the lane before; what moves with them is wasted. `w` is the width of
-- a line.
function shapes:line_stack(x, y, w, request, high)
  high = high or 9
  local used, order, sectors = request:pieces(1), {}, request:pieces(32)
  for line in pairs(request:pieces(128)) do order[#order + 1] = line end
  table.sort(order)
  local gap = w > 100 and 0.6 or 0.2
  for k, line in ipairs(order) do
    local top = y + (k - 1) * (high + 1.5)
    -- Runs of bytes that are alike: one lane's, wasted, or not moved.
    local byte, stop = line * 128, (line + 1) * 128
    while byte < stop do
      local rows, from = used[byte], byte
      local touched = sectors[byte // 32]
      if rows then
        byte = math.min(rows[1].address + rows[1].bytes, stop)
      else
        repeat byte = byte + 1 until used[byte] or byte % 32 == 0
      end
      local gap = byte % 32 == 0 and 1 or gap
      local left, wide = x + from % 128 * w / 128, (byte - from) * w / 128 - gap
      if rows then
        local row, all = rows[1], #rows > 1
        self:rect(left, top, wide, high,
          {fill = 'used', tint = all and 1 or self.shade(row.lane),
           lane = not all and row.lane or nil,
           tip = string.format('%s: byte %d; sector %d',
             all and #rows .. ' lanes' or 'lane ' .. row.lane, row.address,
             row.address // 32)})
      else
        local style = touched and {fill = 'wasted', tint = 0.32} or
                      {fill = 'cell', tint = 0.6}
        self:rect(left, top, wide, high, style)
        self.stack_roles = self.stack_roles or {}
        self.stack_roles[style.fill] = style
      end
    end
  end
  return y + #order * (high + 1.5)
end

-- What the colours of the line stacks mean, as far as there are any of them.
function shapes:stack_legend(x, y, w)
  self:text(x, y + 8, self:choose('One row is a line of 128 bytes, four ' ..
    'sectors of 32 bytes.', 'A row is a line of four sectors.'),
    {size = 'small', role = 'muted'})
  local entries = {
    {{fill = 'used', tint = self.shade(0)}, 'used by lane 0 …'},
    {{fill = 'used', tint = self.shade(31)}, '… by lane 31'}}
  local seen = self.stack_roles or {}
  for _, role in ipairs {{'wasted', 'moved, not used'}, {'cell', 'not moved'}} do
    if seen[role[1]] then
      entries[#entries + 1] = {seen[role[1]], role[2]}
    end
  end
  return self:legend(x, y + 20, w, entries)
end

-- Line stacks beside each other, all of one scale: cases are
-- {title, code or '', request}. Returns y and a sentence on each.
function shapes:stacks(y, cases)
  local each = self:choose(math.min(#cases, 5), 2)
  local gap = self:choose(20, 14)
  local w = math.min(190, (self.width - 2 * self.left - (each - 1) * gap) / each)
  local size, said, lines = self:choose('text', 'small'), {}, 1
  for _, case in ipairs(cases) do
    lines = math.max(lines, #text.wrap(case[1], w, text.sizes[size]))
  end
  local below = y
  for k, case in ipairs(cases) do
    local x = self.left + (k - 1) % each * (w + gap)
    if k > 1 and (k - 1) % each == 0 then y = below + 14 end
    local request, at = case[3], y
    self.panel = case[1]
    local sectors = request:sectors()
    local waste = 1 - request:used_bytes() / (32 * sectors)
    self:paragraph(x, at, w, case[1], {size = size})
    at = at + lines * text.sizes[size] * 1.3 + 2
    if case[2] ~= '' then
      self:text(x, at + 7, case[2], {size = 'small', role = 'muted'})
    else
      at = at - 15
    end
    self:text(x, at + 24, {sectors == 1 and '%d sector' or '%d sectors', sectors},
              {size = 'small'})
    self:text(x + w, at + 24, waste > 0.001 and
              {w < 150 and '%.0f %% waste' or '%.0f %% wasted', 100 * waste} or
              'no waste', {size = 'small', align = 'right',
                              role = waste > 0.001 and 'bad' or 'good'})
    below = math.max(below, self:line_stack(x, at + 35, w, request,
                                            self:choose(9, 7)))
    said[k] = ('%s: %d %s in %d %s, %.0f %% wasted'):format(case[1], sectors,
      sectors == 1 and 'sector' or 'sectors', request:lines(),
      request:lines() == 1 and 'line' or 'lines', 100 * waste)
  end
  self.panel = nil
  return self:stack_legend(self.left, below + 10, self.width - 2 * self.left),
         table.concat(said, '; ') .. '.'
end

-- Rows of 32 banks as they lie in shared memory. `used` is the set of words
-- that anything uses (data.words); the rest, such as padding, is left out. The
-- request's words have the role, by default whether they conflict.
function shapes:bank_map(x, y, w, request, used, role)
  local cell, hits, n_rows = w / 32, {}, 0
  for _, row in ipairs(request.lanes) do
    for byte = row.address, row.address + row.bytes - 1, 4 do
      hits[byte // 4] = row
    end
  end
  for word in pairs(used) do n_rows = math.max(n_rows, word // 32 + 1) end
  local passes = request:wavefronts()
  role = role or passes > 1 and 'conflict' or 'good'
  self:text(x, y + 6, 'bank 0', {size = 'tiny', role = 'muted'})
  for bank = 8, 31, 8 do
    self:text(x + (bank + 0.5) * cell, y + 6, tostring(bank),
              {size = 'tiny', align = 'middle', role = 'muted'})
  end
  return self:cells(x, y + 14, n_rows, 32, cell, cell, function(r, bank)
    local word = r * 32 + bank
    local row = hits[word]
    if row then
      return {fill = role, lane = row.lane,
              tip = ('lane %d: byte %d; bank %d; wavefront %d of %d'):format(
                row.lane, row.address, bank, row.wavefront + 1, passes)}
    end
    return used[word] and {fill = 'cell'} or false
  end, 1)
end

-- The banks that a warp's store and its load of an access map hit, side by side.
function shapes:bank_maps(experiment, warp)
  local places, below, said = self:columns(2), 2, {}
  local used = data.words(experiment, {space = 'shared'})
  for k, operation in ipairs {'store', 'load'} do
    local place = places[k]
    local request = data.request(experiment, {space = 'shared',
                                 operation = operation, warp = warp})
    local passes = request:wavefronts()
    local what = ('warp %d %ss %s %d'):format(warp, operation,
                   k == 1 and 'row' or 'column', warp)
    local y = self:heading(place.x, self.narrow and below or 2, place.w, what,
      {passes == 1 and '%d wavefront' or '%d wavefronts', passes},
      passes > 1 and 'conflict' or 'good')
    below = math.max(below,
                     self:bank_map(place.x, y, place.w, request, used) + 12)
    said[k] = ('%s, %d %s'):format(what, passes,
                passes == 1 and 'wavefront' or 'wavefronts')
  end
  self:alt('Two maps of shared memory, a row for every 32 words and a column ' ..
    'for each bank, with the words of one request marked: ' ..
    table.concat(said, '; ') .. '.')
end

return shapes
