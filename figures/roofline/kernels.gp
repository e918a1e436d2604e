# title: The versions of the vector addition by their instructions
# data: bench/roofline/points.reference.csv
# data: bench/roofline/ceilings.reference.csv
figure_height = 340
load 'figures/common/style.gp'

roofline = 'instructions'; chosen = 'slug=kernels'; named = 1
x_low = 0.1; x_high = 60; y_low = 0.1; y_high = 2000
load 'figures/common/roofline.gp'
