# title: Useful bandwidth of the averages against the window's side
# data: bench/layout/downscale.h200.csv
figure_height = 360
load 'figures/common/style.gp'
layouts = 'rows aos soa staged vector'
ink(i) = i < 5 ? colour(i) : colour_ink
mark(i) = i < 5 ? point(i) : 4
square(m, v) = rows(csv('layout/downscale', word(machines, m)), \
  'version=' . v . ' window_rows=1|2|3|4|5|6|8|12|16|32 ' . \
  'window_cols=1|2|4|5|6|8|12|16|32')
set logscale x 2
set xrange [0.93:34]
set yrange [0:highest('layout/downscale', 'gb_per_s') * 1.05]
set xtics ()
do for [e = 0:5] { set xtics add (sprintf('%d', 2 ** e) 2 ** e) }
set xlabel 'side of the window in pixels (logarithmic)'
set ylabel 'bandwidth in GB/s'
set tmargin 1.8
set key outside right center reverse Left samplen 1.5
plot for [m = 1:n_machines] for [i = 1:words(layouts)] \
  square(m, word(layouts, i)) \
  using (column("window_cols")):(column("gb_per_s")) with linespoints \
  linecolor rgb ink(i) linewidth weight(m) dashtype dash(m) \
  pointtype mark(i) pointsize 0.7 title m == 1 ? word(layouts, i) : ''
