-- title: What three blocks of 256 threads with 71 registers take from an SM
-- data: bench/occupancy/spilling.reference.csv
-- data: bench/occupancy/limits.software.csv
local row = data.csv('occupancy/spilling'):one{version = 'carry_1_free'}
local has = data.software('occupancy/limits'):one{capability = 9.0}
local n_blocks, block_warps, lanes = row.active_blocks, 8, 32
local unit = has.register_unit
local per_warp = (row.thread_registers * lanes + unit - 1) // unit * unit
local reserved = has.reserved_bytes
local shelves = {
  {'block slots', has.blocks, 1, '%s of %s'},
  {'warp slots', has.warps, block_warps, '%s of %s'},
  {'registers', has.registers, block_warps * per_warp, '%s of %s'},
  {'shared memory', has.shared_bytes, reserved, '%s of %s bytes'},
}
-- As in the text, five digits and more are written in groups of three.
local x0, w = d:choose(118, 4), d:choose(400, 290)
local h, step = 30, d:choose(48, 74)
local y0 = d:choose(12, 24)
local said = {}
for i, shelf in ipairs(shelves) do
  local name, most, each, text = table.unpack(shelf)
  local y = y0 + (i - 1) * step
  local is_full = (n_blocks + 1) * each > most
  local one = w * each / most
  d:rect(x0, y, w, h, {line = is_full and 'bad' or 'muted',
                       weight = is_full and 2 or 1})
  for b = 0, n_blocks - 1 do
    d:rect(x0 + b * one, y, one, h, {fill = 'warp_' .. b, tint = 0.55,
                                     line = 'paper'})
    if one > 40 then
      d:fit(x0 + b * one, y, one, h, {'block %d', b}, {size = 'small'})
    end
  end
  if is_full then
    d:rect(x0 + n_blocks * one, y + 3, one, h - 6,
           {line = 'bad', dash = '4 3', weight = 1.5})
  end
  local count = {text, grouped(n_blocks * each), grouped(most)}
  if d:choose(true, false) then
    d:text(x0 - 8, y + h / 2, name, {align = 'right', size = 'small'})
    d:text(x0 + w + d:choose(60, 0), y + h / 2, count,
           {size = 'small', role = is_full and 'bad' or 'muted'})
  else
    d:text(x0, y - 10, name, {size = 'small'})
    d:text(x0 + w, y - 10, count, {size = 'small', align = 'right',
                                   role = is_full and 'bad' or 'muted'})
  end
  if is_full then
    d:text(x0 + (n_blocks + 0.5) * one - (d:choose(0, one * 0.5)),
           y + h + 10, 'a fourth block does not fit',
           {size = 'tiny', role = 'bad', align = 'middle'})
  end
  said[#said + 1] = name .. ' ' .. string.format(text, grouped(n_blocks * each), grouped(most))
end
d:alt('Four bars, one for each resource of an SM, filled by ' ..
      string.format('%d', n_blocks) .. ' blocks: ' ..
      table.concat(said, ', ') .. '. A dashed outline of one more block sticks out of ' ..
      'the bar of the registers only.')
