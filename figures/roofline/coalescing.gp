# title: The access patterns by their instructions
# data: bench/roofline/points.reference.csv
# data: bench/roofline/ceilings.reference.csv
figure_height = 460
load 'figures/common/style.gp'

roofline = 'instructions'; chosen = 'slug=coalescing'; named = 1
# The table below the figure has all of them.
if (narrow) { memory_at = 0.4 }
only_named = 'aligned worst hundred bytes window_plain window_l2 row_sums ' . \
  'sum_structures every_fourth not_sequential'
x_low = 0.065; x_high = 16; y_low = 8; y_high = 1500
load 'figures/common/roofline.gp'
