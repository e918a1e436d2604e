# title: Bandwidth against the bytes in flight on each SM
# data: bench/reduction/loads.reference.csv
figure_height = 360
load 'figures/common/style.gp'
widths = '4 16'   # in the colours of these words in chapter `coalescing`

set logscale x 2
set xrange [0.85:300]
set yrange [0:highest('reduction/loads', 'gb_per_s') * 1.06]
set xtics ()
do for [e = 0:8] { set xtics add (sprintf('%d', 2 ** e) 2 ** e) }
set xlabel 'KiB in flight on each SM (logarithmic)'
set ylabel 'bandwidth in GB/s'
load 'figures/common/key.gp'
plot for [m = 1:n_machines] for [i = 1:2] \
  rows(csv('reduction/loads', word(machines, m)), \
    'load_bytes=' . word(widths, i)) \
  using (column("in_flight_bytes") / 1024.0):(column("gb_per_s")) \
  with points linecolor rgb colour(2 * i - 1) linewidth weight(m) \
  pointtype point(2 * i - 1) pointsize 0.8 \
  title m == 1 ? 'loads of ' . word(widths, i) . ' bytes' : ''
