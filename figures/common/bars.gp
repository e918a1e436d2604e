# Lying bars: names on the left, one bar for each machine or counter, side by
# side within a unit of height.

bars_side_by_side = n_machines
bar_height(all) = 0.72 / all
bar_low(y, i) = y - 0.36 + (i - 1) * bar_height(bars_side_by_side) + \
  (i > 1 ? 0.03 : 0)
bar_high(y, i) = y - 0.36 + i * bar_height(bars_side_by_side) - \
  (i < bars_side_by_side ? 0.03 : 0)
bar_middle(y, i) = y - 0.36 + (i - 0.5) * bar_height(bars_side_by_side)
bar_colour(i) = i == 1 ? colour_1 : i == 2 ? faded(colour_2, 0.6) : \
  i == 3 ? faded(colour_3, 0.6) : i == 4 ? faded(colour_4, 0.6) : colour_muted

set ytics scale 0
set grid xtics noytics
set border 2
set lmargin at screen left_at(0.24); set rmargin at screen right_at(0.985)
set tmargin at screen 0.93
