# title: Useful bandwidth of the averages against the window's side
# data: bench/layout/downscale.reference.csv
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
set rmargin at screen right_at(0.88)
unset key
# Lines through the powers of two; sides between them are points.
is_power(x) = int(x) == 1 || int(x) == 2 || int(x) == 4 || int(x) == 8 || \
  int(x) == 16 || int(x) == 32
high = highest('layout/downscale', 'gb_per_s') * 1.05
ends = ''
do for [i = 1:words(layouts)] {
  ends = ends . sprintf(' %.4f', fraction(real(cell(csv('layout/downscale', \
    machine), 'version=' . word(layouts, i) . \
    ' window_rows=32 window_cols=32', 'gb_per_s')), 0, high))
}
ends = spread(ends, 0.07)
do for [i = 1:words(layouts)] {
  set label i word(layouts, i) at graph 1.02, graph real(word(ends, i)) left \
    textcolor rgb ink(i)
}
plot for [m = 1:n_machines] for [i = 1:words(layouts)] \
    square(m, word(layouts, i)) using (is_power(column("window_cols")) ? \
    column("window_cols") : NaN):(column("gb_per_s")) with linespoints \
    linecolor rgb ink(i) linewidth weight(m) dashtype dash(m) \
    pointtype mark(i) pointsize 0.7, \
  for [m = 1:n_machines] for [i = 1:words(layouts)] \
    square(m, word(layouts, i)) using (is_power(column("window_cols")) ? \
    NaN : column("window_cols")):(column("gb_per_s")) with points \
    linecolor rgb faded(ink(i), 0.8) linewidth 1 \
    pointtype (i < 5 ? mark(i) - 1 : 4) pointsize 0.55
