# title: The access patterns by their instructions
# data: bench/roofline/points.h200.csv
# data: bench/roofline/ceilings.h200.csv
figure_height = 470
load 'figures/common/style.gp'

roofline = 'instructions'; chosen = 'slug=coalescing'; named = 1
x_low = 0.05; x_high = 60; y_low = 5; y_high = 2000
load 'figures/common/roofline.gp'
