# title: Bandwidth and sectors per request of loads against their offset
# data: bench/coalescing/offset.h200.csv
# data: bench/coalescing/offset_counts.software.csv
figure_height = 470
load 'figures/common/style.gp'
sweep = 'offset'
side = 'load'
column_x = 'offset_elems'
label_x = 'offset of the loads in words'
low_x = 0; high_x = 32; step_x = 4
load 'figures/common/sweep.gp'
