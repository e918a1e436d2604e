# title: Instructions, counted on the software device, and time against unrolling
# data: bench/occupancy/unrolling_counts.software.csv
# data: bench/occupancy/unrolling_counts.reference.csv
# data: bench/occupancy/unrolling.reference.csv
figure_height = 440
load 'figures/common/style.gp'
counts = csv('occupancy/unrolling_counts', 'software')
counts_gpu = csv('occupancy/unrolling_counts', machine)
times = csv('occupancy/unrolling', machine)
set logscale x 2
set xrange [0.93:34]
set lmargin at screen left_at(0.11); set rmargin at screen right_at(0.97)
key_narrow_lines = 2
load 'figures/common/key.gp'
set multiplot
set bmargin at screen 0.55
set xtics ('' 1, '' 2, '' 4, '' 8, '' 16, '' 32)
set yrange [0:*]
set ylabel 'instructions per warp'
warps(d) = column("grid_x") * column("block_x") / 32
unset label 999
plot counts using (column("unrolled")):(column("warp_instructions") / \
    warps(0)) with linespoints \
    linecolor rgb role_software pointtype 9 title 'PTX, software device', \
  counts_gpu using (column("unrolled")):(column("warp_instructions") / \
    warps(0)) with linespoints \
    linecolor rgb role_gpu pointtype 7 title 'machine code, ' . gpu(1)
set tmargin at screen 0.49; set bmargin at screen 0.13
set xtics (1, 2, 4, 8, 16, 32)
set xlabel 'times that the loop is unrolled (logarithmic)'
set ylabel 'time in µs'
plot times using (column("unrolled")):(column("time_us")) with linespoints \
  linecolor rgb role_gpu pointtype 7
unset multiplot
