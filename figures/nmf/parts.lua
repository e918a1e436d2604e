-- title: Digits, the parts they are made of, and what a second start finds
-- data: bench/nmf/parts.software.csv
local t = data.software('nmf/parts')
local across, down = 15, 16

-- One picture; neighbours of equal ink become one rectangle.
local function picture(kind, index, x, y, pixel, role)
  d:rect(x, y, across * pixel, down * pixel, {line = 'grid'})
  for row = 0, down - 1 do
    local line = t:one{kind = kind, index = index, row = row}
    local from, ink = 0, nil
    for col = 0, across do
      local here = col < across and
        math.floor(line['ink_' .. col] * 10 + 0.5) / 10 or -1
      if here ~= ink then
        if ink and ink > 0.05 then
          d:rect(x + from * pixel, y + row * pixel, (col - from) * pixel, pixel,
                 {fill = role, tint = ink})
        end
        from, ink = col, here
      end
    end
  end
end

-- A row of pictures with a heading.
local function row_of(kind, n, y, said, role)
  local per_line = d:choose(8, 4)
  local gap = 8
  local wide = (d.width - 2 * d.left - (8 - 1) * gap) / 8
  if d.narrow then wide = (d.width - 2 * d.left - 3 * gap) / 4 end
  local pixel = wide / across
  d:paragraph(d.left, y + 8, d.width - 2 * d.left, said, {size = 'small'})
  y = y + d:choose(24, 24)
  for i = 0, n - 1 do
    local line = math.floor(i / per_line)
    picture(kind, i, d.left + (i % per_line) * (wide + gap),
            y + line * (down * pixel + gap), pixel, role)
  end
  return y + math.ceil(n / per_line) * (down * pixel + gap) + 10
end

local y = row_of('picture', d:choose(5, 4), 4,
                 'some of the pictures', 'ink')
y = row_of('part', 8, y, 'the parts that were learned', 'load')
y = row_of('rebuilt', d:choose(5, 4), y,
           'the same pictures, put together from these parts', 'load')
y = row_of('other', 8, y, 'the parts after another start', 'partial')
d.height = y - 8
d:alt('Four rows of small pictures. First noisy digits made of strokes of ' ..
  'different brightness; below them eight learned parts, seven of which are ' ..
  'one stroke each while one is the evenly grey background; then the digits ' ..
  'again, without the noise; then eight parts from another start, some of ' ..
  'which hold two strokes.')
