# title: Kernels that compute with floating-point numbers, below the ceilings
# data: bench/roofline/points.reference.csv
# data: bench/roofline/ceilings.reference.csv
figure_height = exists("narrow") && narrow ? 640 : 430
load 'figures/common/style.gp'

roofline = 'flop'; chosen = ''
x_low = 0.02; x_high = 100; y_low = 100; y_high = 200000
load 'figures/common/roofline_parts.gp'
