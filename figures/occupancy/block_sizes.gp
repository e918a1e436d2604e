# title: Occupancy against the number of threads per block
# data: bench/occupancy/block_sizes.software.csv
figure_height = 300
load 'figures/common/style.gp'
file = csv('occupancy/block_sizes', 'software')
capabilities = '1.3 7.5 9.0 12.0'
unset label 999
set xrange [0:1040]; set yrange [0:1.08]
set xtics 128
set xlabel 'threads per block'
set ylabel 'occupancy'
set key bottom right Right noreverse horizontal
plot for [i = 1:4] rows(file, 'capability=' . word(capabilities, i)) using \
  (column("block_threads")):(column("occupancy")) with linespoints \
  linetype i title word(capabilities, i)
