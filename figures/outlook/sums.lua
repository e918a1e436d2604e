-- title: Where the operands and the sums of a matrix product are
-- data: bench/outlook/targets.software.csv
local targets = data.software('outlook/targets')
local n_across = d:choose(3, 1)
local gap = 26
local w = ((d.width - 2 * d.left) - (n_across - 1) * gap) / n_across
local size = 'small'

local function box(x, y, bw, text, role)
  d:box(x, y, bw, 24, text, {fill = role, size = size})
end
local function note(x, y, text, align)
  d:text(x, y, text, {size = 'tiny', align = align or 'left', role = 'muted'})
end

-- An instruction is only drawn for a target that has it.
local function name_of(instruction, target)
  local row = targets:one{instruction = instruction}
  assert(row['sm_' .. target] == 1, instruction .. ' is not in ' .. target)
  return instruction:match('^%S+')
end

local panels = {
  {'Ampere', name_of('mma.sync of bfloat16', '80'), 'a warp'},
  {'Hopper', name_of('wgmma', '90a'), 'four warps'},
  {'Blackwell', name_of('tcgen05.mma', '100a'), 'one thread'},
}
local bottom = 0
for i, p in ipairs(panels) do
  local x = d.left + (i - 1) % n_across * (w + gap)
  local y = 12 + math.floor((i - 1) / n_across) * 236
  local x_box, w_box = x + 0.4 * w, 0.6 * w
  d:text(x, y, {'%s: %s', p[1], p[2]}, {size = 'text'})
  note(x, y + 16, {'issued by %s', p[3]})
  box(x, y + 32, w, 'shared memory', 'shared')
  box(x_box, y + 82, w_box, 'registers', 'register')
  box(x, y + 182, w, 'tensor cores', 'gpu')
  local mid, right = x_box + 0.28 * w_box, x_box + 0.72 * w_box
  if i == 1 then
    d:arrow({mid, y + 56, mid, y + 81}, {line = 'ink'})
    d:arrow({mid, y + 106, mid, y + 181}, {line = 'ink'})
    note(mid - 6, y + 144, 'A, B', 'right')
  else
    d:arrow({x + 0.2 * w, y + 56, x + 0.2 * w, y + 181}, {line = 'ink'})
    note(x + 0.2 * w + 6, y + 120, 'A, B')
  end
  if i < 3 then
    d:arrow({right, y + 181, right, y + 107}, {line = 'emphasis'})
    d:arrow({right + 8, y + 106, right + 8, y + 181}, {line = 'emphasis'})
    note(right - 6, y + 144, 'sums', 'right')
  else
    box(x_box, y + 132, w_box, 'tensor memory', 'emphasis')
    d:arrow({right, y + 181, right, y + 157}, {line = 'emphasis'})
    d:arrow({right + 8, y + 156, right + 8, y + 181}, {line = 'emphasis'})
    note(right - 6, y + 169, 'sums', 'right')
    d:arrow({right, y + 131, right, y + 107}, {line = 'emphasis', dash = true})
    note(right - 6, y + 119, 'at the end', 'right')
  end
  bottom = y + 210
end
d.height = bottom
d:alt('Three columns. Ampere: A and B go from shared memory to registers and ' ..
  'from there to the tensor cores, and the sums come back to the registers. ' ..
  'Hopper: A and B go to the tensor cores directly, the sums are in registers. ' ..
  'Blackwell: the sums are in tensor memory and reach the registers only at ' ..
  'the end.')
