# title: Bandwidth over the bytes in flight on each SM
# data: bench/async/stream.reference.csv
figure_height = 340
load 'figures/common/style.gp'
set logscale x 2
set xrange [800:170000]
set yrange [0:*]
set xtics ('1' 1024, '2' 2048, '4' 4096, '8' 8192, '16' 16384, '32' 32768, \
  '64' 65536, '128' 131072)
set xlabel 'KiB in flight per SM (logarithmic)'
set ylabel 'bandwidth in GB/s'
key_narrow_lines = 2
load 'figures/common/key.gp'
plot for [m = 1:n_machines] for [i = 1:4] rows(csv('async/stream', \
  word(machines, m)), 'piece_bytes=' . word('1024 2048 4096 16384', i)) using \
  (column("in_flight_bytes_per_sm")):(column("gb_per_s")) with points \
  pointtype point(i) pointsize 1 linecolor rgb colour(i) \
  linewidth weight(m) \
  title m == 1 ? word('1 2 4 16', i) . ' KiB per copy' : ''
