# title: Bandwidth over the tiles that are at work together
# data: bench/scan/shapes.reference.csv
# data: bench/scan/ladder.reference.csv
figure_height = 360
load 'figures/common/style.gp'
set logscale x 2
set xrange [100:3000]
set xtics (128, 256, 512, 1024, 2048)
# From the thousand below the lowest to above the highest.
set yrange [1000 * floor(lowest('scan/shapes', 'gb_per_s') / 1000): \
  1.06 * highest('scan/shapes', 'gb_per_s')]
set xlabel 'tiles at work together (logarithmic)'
set ylabel 'bandwidth in GB/s'
load 'figures/common/key.gp'
cub = real(cell(csv('scan/ladder', machine), 'version=cub', 'gb_per_s'))
set arrow 1 from graph 0, first cub to graph 1, first cub nohead \
  dashtype '-' linecolor rgb role_vendor
set label 1 'CUB' at graph 1, first cub right offset -0.5, 0.6 font small \
  textcolor rgb role_vendor
# A ring around a dot: they lie on one another, and both can be seen. A name
# next to it where several shapes have equally many tiles at work.
shaped(m, i) = rows(csv('scan/shapes', word(machines, m)), 'streaming=' . i)
fewest = lowest('scan/shapes', 'tiles_at_once')
plot for [m = 1:n_machines] shaped(m, 0) using \
    (column("tiles_at_once")):(column("gb_per_s")) with points \
    pointtype 7 pointsize 0.7 linecolor rgb role_gpu \
    title m == 1 ? 'plain stores' : '', \
  for [m = 1:n_machines] shaped(m, 1) using \
    (column("tiles_at_once")):(column("gb_per_s")) with points \
    pointtype 6 pointsize 1.6 linecolor rgb role_store \
    linewidth weight(m) title m == 1 ? 'streaming stores' : '', \
  shaped(1, 0) using (column("tiles_at_once")):(column("gb_per_s")): \
    (column("tiles_at_once") == fewest ? sprintf('%d × %d', \
      column("n_threads"), column("n_rows")) : '') with labels left \
    offset 1.2, 0.1 font small textcolor rgb colour_ink notitle
