# title: The access patterns by their instructions
# data: bench/roofline/points.h200.csv
# data: bench/roofline/ceilings.h200.csv
figure_height = 620
load 'figures/common/style.gp'

roofline = 'instructions'; chosen = 'slug=coalescing'; named = 1
x_low = 0.065; x_high = 16; y_low = 8; y_high = 1500
load 'figures/common/roofline.gp'
