# title: Bandwidth and sectors per request of stores against their stride
# data: bench/coalescing/store_stride.reference.csv
# data: bench/coalescing/store_stride_counts.software.csv
figure_height = 470
load 'figures/common/style.gp'
sweep = 'store_stride'
side = 'store'
column_x = 'stride_elems'
label_x = 'stride of the stores in words (all axes logarithmic)'
low_x = 1; high_x = 128
load 'figures/common/sweep.gp'
