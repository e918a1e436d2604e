# title: Bandwidth over the tiles that are at work together
# data: bench/scan/shapes.h200.csv
# data: bench/scan/ladder.h200.csv
figure_height = 340
load 'figures/common/style.gp'
set logscale x 2
set xrange [100:3000]
set xtics (128, 256, 512, 1024, 2048)
set yrange [0:*]
set xlabel 'tiles at work together (logarithmic)'
set ylabel 'bandwidth in GB/s'
load 'figures/common/key.gp'
cub = real(cell(csv('scan/ladder', machine), 'version=cub', 'gb_per_s'))
set arrow 1 from graph 0, first cub to graph 1, first cub nohead \
  dashtype '-' linecolor rgb role_vendor
set label 1 'CUB' at graph 1, first cub right offset -0.5, 0.6 font small \
  textcolor rgb role_vendor
plot for [m = 1:n_machines] for [i = 0:1] rows(csv('scan/shapes', \
  word(machines, m)), 'streaming=' . i) using \
  (column("tiles_at_once")):(column("gb_per_s")) with points \
  pointtype point(i + 1) pointsize 1 linecolor rgb colour(i + 1) \
  linewidth weight(m) \
  title m == 1 ? (i ? 'streaming stores' : 'plain stores') : ''
