# title: Bandwidth and sectors per request of stores against their offset
# data: bench/coalescing/store_offset.h200.csv
# data: bench/coalescing/store_offset_counts.software.csv
figure_height = 470
load 'figures/common/style.gp'
sweep = 'store_offset'
side = 'store'
column_x = 'offset_elems'
label_x = 'offset of the stores in words'
low_x = 0; high_x = 32; step_x = 4
load 'figures/common/sweep.gp'
