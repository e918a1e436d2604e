# title: Bandwidth and sectors per request of loads against their stride
# data: bench/coalescing/stride.reference.csv
# data: bench/coalescing/stride_counts.software.csv
figure_height = 470
load 'figures/common/style.gp'
sweep = 'stride'
side = 'load'
column_x = 'stride_elems'
label_x = 'stride of the loads in words (all axes logarithmic)'
low_x = 1; high_x = 128
load 'figures/common/sweep.gp'
