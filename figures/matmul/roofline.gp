# title: The matrix products below the ceilings of the machine
# data: bench/roofline/points.h200.csv
# data: bench/roofline/ceilings.h200.csv
figure_height = 430
load 'figures/common/style.gp'

roofline = 'flop'; chosen = 'slug=matmul'; named = 1
x_low = 0.2; x_high = 60; y_low = 1000; y_high = 100000
load 'figures/common/roofline.gp'
