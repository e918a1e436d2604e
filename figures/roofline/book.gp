# title: All kernels by their instructions, below the ceilings
# data: bench/roofline/points.reference.csv
# data: bench/roofline/ceilings.reference.csv
figure_height = exists("narrow") && narrow ? 640 : 430
load 'figures/common/style.gp'

roofline = 'instructions'; chosen = ''
x_low = 0.05; x_high = 60; y_low = 5; y_high = 2000
load 'figures/common/roofline_parts.gp'
