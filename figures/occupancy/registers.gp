# title: Active warps against the registers per thread
# data: bench/occupancy/registers.software.csv
figure_height = 330
load 'figures/common/style.gp'
file = csv('occupancy/registers', 'software')
sizes = '1024 512 256 64'
unset label 999
set xrange [16:255]; set yrange [0:68]
set xtics (16, 32, 64, 96, 128, 160, 192, 224, 255)
set ytics 16
set xlabel 'registers per thread'
set ylabel 'active warps'
set key top right Right noreverse
plot for [i = 1:4] rows(file, 'block_threads=' . word(sizes, i)) using \
  (column("thread_registers")):(column("active_warps")) with steps \
  linecolor rgb colour(i) linewidth 2 \
  title 'blocks of ' . word(sizes, i)
