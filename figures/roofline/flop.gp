# title: Kernels that compute with floating-point numbers, below the ceilings
# data: bench/roofline/points.h200.csv
# data: bench/roofline/ceilings.h200.csv
figure_height = 430
load 'figures/common/style.gp'

roofline = 'flop'; chosen = ''; named = 0
x_low = 0.02; x_high = 100; y_low = 100; y_high = 200000
l2_at = 0.38
load 'figures/common/roofline.gp'
