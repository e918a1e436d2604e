-- title: Which targets accept which instructions
-- data: bench/outlook/targets.software.csv
local rows = data.software('outlook/targets'):select{}
local targets = {'80', '89', '90', '90a', '100', '100a', '100f', '120', '120a'}
local high = 22
local name_w = d:choose(160, 112)
local purpose_w = d:choose(150, 0)
local x0 = d.left + name_w + purpose_w
local w = (d.width - d.left - x0) / #targets
local size = d:choose('small', 'tiny')
local y0 = 40

-- The generations above the targets.
local spans = {{'Ampere', 1, 1}, {'Ada', 2, 2}, {'Hopper', 3, 4},
               {'Blackwell, data centre', 5, 7}, {'Blackwell', 8, 9}}
local short = {'Am.', 'Ada', 'Hopper', 'Blackwell 10', 'Bw. 12'}
for i, span in ipairs(spans) do
  local from, to = x0 + (span[2] - 1) * w, x0 + span[3] * w
  d:text((from + to) / 2, 10, d:choose(span[1], short[i]),
         {size = 'tiny', align = 'middle', role = 'muted'})
  d:line(from + 2, 18, to - 2, 18, {line = 'muted'})
end
for i, target in ipairs(targets) do
  d:text(x0 + (i - 0.5) * w, 28, target, {size = size, align = 'middle'})
end

local said = {}
for r, row in ipairs(rows) do
  local y = y0 + (r - 1) * high
  d:text(d.left, y + high / 2, row.instruction, {size = size})
  if purpose_w > 0 then
    d:text(d.left + name_w, y + high / 2, row.purpose,
           {size = 'tiny', role = 'muted'})
  end
  local have = {}
  for i, target in ipairs(targets) do
    local has = row['sm_' .. target] == 1
    local style = {line = 'grid'}
    if has then
      style = {fill = target:find('%a$') and 'result' or 'gpu', tint = 0.6}
      have[#have + 1] = target
    end
    d:rect(x0 + (i - 1) * w + 1, y + 2, w - 2, high - 4, style)
  end
  said[#said + 1] = row.instruction .. ': ' .. table.concat(have, ' ')
end
local y = d:legend(x0, y0 + #rows * high + 8, d.width - d.left - x0, {
  {{fill = 'gpu', tint = 0.6}, d:choose('accepted, and by later targets', 'accepted')},
  {{fill = 'result', tint = 0.6}, d:choose('accepted by a target with a letter', 'with a letter')}})
d.height = y
d:alt('A table with a row for each instruction and a column for each target; ' ..
      'the targets that accept it are filled. ' .. table.concat(said, '; ') .. '.')
