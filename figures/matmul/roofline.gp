# title: The matrix products below the ceilings of the machine
# data: bench/roofline/points.reference.csv
# data: bench/roofline/ceilings.reference.csv
figure_height = exists("narrow") && narrow ? 700 : 430
load 'figures/common/style.gp'

# Left the whole ladder, right its upper half enlarged; below each other on
# phones.
roofline = 'flop'; chosen = 'slug=matmul'; named = 1
x_low = 0.2; x_high = 60; y_low = 1000; y_high = 100000
only_named = 'naive tile several patch'
panel_left = left_at(0.10); panel_right = narrow ? right_at(0.98) : 0.50
panel_top = narrow ? 0.965 : 0.94; panel_bottom = narrow ? 0.56 : 0.13
set multiplot
load 'figures/common/roofline.gp'

unset label; unset arrow
x_low = 22.0; x_high = 42.0; y_low = 18000.0; y_high = 74000.0
only_named = 'patch groups warp_tile async tall_patch lean bands snake'
panel_left = narrow ? left_at(0.10) : 0.60; panel_right = right_at(0.98)
panel_top = narrow ? 0.46 : 0.94; panel_bottom = narrow ? 0.065 : 0.13
panel_x = 'the upper right corner, enlarged'
set xtics (24, 28, 32, 36, 40)
set ytics (20000, 30000, 40000, 50000, 60000, 70000)
load 'figures/common/roofline.gp'
unset multiplot
