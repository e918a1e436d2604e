# title: The versions of the sum by their instructions
# data: bench/roofline/points.reference.csv
# data: bench/roofline/ceilings.reference.csv
figure_height = 430
load 'figures/common/style.gp'

roofline = 'instructions'; chosen = 'slug=reduction'; named = 1
x_low = 0.5; x_high = 100; y_low = 100; y_high = 2000
load 'figures/common/roofline.gp'
