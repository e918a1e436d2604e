-- title: The bits of six formats of numbers
-- data: bench/precision/formats.software.csv
local names = {'float', 'tf32', 'half', 'bfloat16', 'e4m3', 'e5m2'}
local formats = data.software('precision/formats')
local name_w = d:choose(74, 62)
local x, y = d.left + name_w, 22
local cell = (d.width - d.left - x) / 32
local high = d:choose(22, 18)
local said = {}

d:text(x + cell / 2, 8, 'sign', {size = 'tiny', align = 'middle'})
for _, name in ipairs(names) do
  local f = formats:one{format = name}
  local used = 1 + f.exponent_bits + f.fraction_bits
  d:text(x - 10, y + high / 2, name, {align = 'right', size = 'small'})
  d:cells(x, y, 1, f.bits, cell, high, function(_, k)
    if k == 0 then return {fill = 'muted', tint = 0.5} end
    if k <= f.exponent_bits then return {fill = 'exponent', tint = 0.6} end
    if k < used then return {fill = 'fraction', tint = 0.5} end
    return {line = 'muted', dash = true}
  end, 1.5)
  said[#said + 1] = ('%s has %d exponent bits and %d fraction bits')
    :format(name, f.exponent_bits, f.fraction_bits)
  y = y + high + 12
end
y = d:legend(d.left + name_w, y + 6, d.width - d.left - x, {
  {{fill = 'exponent', tint = 0.6}, 'exponent: how large'},
  {{fill = 'fraction', tint = 0.5}, 'fraction: how exact'},
  {{line = 'muted', dash = true}, 'not read'}})
d:alt('A row of boxes for each format, one for each bit, the sign first: ' ..
      table.concat(said, '; ') .. '.')
