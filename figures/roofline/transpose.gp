# title: The versions of the transposition by their instructions
# data: bench/roofline/points.reference.csv
# data: bench/roofline/ceilings.reference.csv
figure_height = 400
load 'figures/common/style.gp'

if (narrow) { memory_at = 0.22 }
roofline = 'instructions'; chosen = 'slug=transpose'; named = 1
x_low = 0.1; x_high = 60; y_low = 10; y_high = 2000
load 'figures/common/roofline.gp'
