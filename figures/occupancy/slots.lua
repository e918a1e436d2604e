-- title: Which cycles of a scheduler a chain of multiply-adds can use
-- data: bench/occupancy/latency.reference.csv
-- A model, not a run: a scheduler issues one instruction per cycle, and a
-- multiply-add waits for the result of the one before it in its chain. Only the
-- latency is measured.
local latency = data.csv('occupancy/latency'):one{what = 'fma'}.latency_cycles
local wait = math.floor(latency + 0.5)
local n = d:choose(24, 16)
local cases = {
  {1, 1, 'one warp, one chain'}, {2, 1, 'two warps, one chain each'},
  {4, 1, 'four warps, one chain each'}, {1, 4, 'one warp, four chains'},
}
local size = d:choose('small', 'tiny')
local places, below, said = d:columns(2, 30), 2, {}
local top = 2
for k, case in ipairs(cases) do
  local n_warps, n_chains, name = table.unpack(case)
  local place = places[(k - 1) % 2 + 1]
  if d.narrow or k == 3 then top = below end
  local y = top
  local label = d:choose(66, 56)
  local x, w = place.x + label, place.w - label
  local each = w / n

  -- Each chain is ready again `wait` cycles after it was served; the scheduler
  -- takes the first that is.
  local ready, slots, used = {}, {}, 0
  for chain = 1, n_warps * n_chains do ready[chain] = 0 end
  for cycle = 0, n - 1 do
    for chain = 1, n_warps * n_chains do
      if ready[chain] <= cycle then
        slots[cycle] = chain
        ready[chain] = cycle + wait
        used = used + 1
        break
      end
    end
  end
  d:text(place.x, y + 8, name, {size = size})
  d:text(place.x + place.w, y + 8, {'%.0f %% of the cycles', 100 * used / n},
         {size = size, align = 'right',
          role = used == n and 'good' or 'bad'})
  y = y + 20
  for warp = 1, n_warps do
    d:text(x - 8, y + 6, {'warp %d', warp - 1},
           {size = 'tiny', align = 'right', role = 'muted'})
    d:cells(x, y, 1, n, each, 13, function(_, cycle)
      local chain = slots[cycle]
      local mine = chain and (chain - 1) // n_chains + 1 == warp
      return mine and {fill = 'selected', tint = 0.7} or
             {fill = 'wait_result', tint = 0.16}
    end, 1)
    y = y + 14
  end
  d:text(x - 8, y + 10, 'scheduler', {size = 'tiny', align = 'right'})
  d:cells(x, y + 4, 1, n, each, 13, function(_, cycle)
    return slots[cycle] and {fill = 'selected'} or
           {fill = 'lane_off', tint = 0.8}
  end, 1)
  y = y + 20
  below = math.max(below, y + 14)
  said[k] = ('%s: %.0f %%'):format(name, 100 * used / n)
end
below = d:legend(d.left, below - 4, d.width - 2 * d.left, {
  {{fill = 'selected', tint = 0.7}, 'issues'},
  {{fill = 'wait_result', tint = 0.16}, 'waits for a result'},
  {{fill = 'lane_off', tint = 0.8}, 'nothing to issue'}}, size)
d:text(d.left + 2, below + 6, {d:choose(
  'A cell is a cycle. A model with the measured latency of %d cycles.',
  'A cell is a cycle; latency: %d.'), wait}, {size = size, role = 'muted'})
d:alt(('Four panels of cycles, with a row for each warp and one for the ' ..
  'scheduler. A warp issues a multiply-add and then waits until %d cycles ' ..
  'have passed, unless it has another chain. Cycles that the scheduler uses: ' ..
  '%s.'):format(wait, table.concat(said, '; ')))
