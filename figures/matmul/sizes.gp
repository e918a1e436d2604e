# title: Share of cuBLAS over the side of square matrices
# data: bench/matmul/sizes.h200.csv
figure_height = 340
load 'figures/common/style.gp'
set logscale x 2
set xrange [220:9600]
set yrange [0:110]
set xtics ('256' 256, '512' 512, '1024' 1024, '2048' 2048, '4096' 4096, \
  '8192' 8192)
set xlabel 'side of the matrices (logarithmic)'
set ylabel 'share of cuBLAS in %'
set tmargin 1.8
set key outside right center reverse Left samplen 1.5
plot for [m = 1:n_machines] rows(csv('matmul/sizes', word(machines, m)), \
    'version=snake') \
    using (column("n_rows")):(100 * column("share_of_cublas")) with points \
    pointtype point(1) pointsize 0.9 linecolor rgb colour_1 \
    linewidth weight(m) title m == 1 ? 'snake' : '', \
  for [m = 1:n_machines] rows(csv('matmul/sizes', word(machines, m)), \
    'version=patch') \
    using (column("n_rows")):(100 * column("share_of_cublas")) with points \
    pointtype point(2) pointsize 0.9 linecolor rgb colour_2 \
    linewidth weight(m) title m == 1 ? 'patch' : ''
