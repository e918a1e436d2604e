# title: Time against the number of active blocks
# data: bench/occupancy/active_blocks.reference.csv
figure_height = 340
load 'figures/common/style.gp'
sizes = '32 64 128 256 512 1024'
ink(i) = i < 5 ? colour(i) : i == 5 ? colour_ink : colour_muted
mark(i) = i < 5 ? point(i) : i == 5 ? 4 : 6
set logscale x 2; set logscale y 10
set xrange [0.93:34]
set xtics (1, 2, 4, 8, 16, 32)
set ytics ()
do for [e = 2:4] { set ytics add (grouped(10.0 ** e) 10.0 ** e) }
set xlabel 'active blocks (logarithmic)'
set ylabel 'time in µs (logarithmic)'
unset key
set rmargin at screen right_at(0.9)
# Each line's name is at its end, where the blocks fill the SM.
file = csv('occupancy/active_blocks', machine)
do for [i = 1:6] {
  of_size = 'block_threads=' . word(sizes, i)
  stats rows(file, of_size) using (column("active_blocks")) nooutput
  last = STATS_max
  set label i sprintf('%s%s', i == 1 ? 'blocks of ' : '', word(sizes, i)) at last, \
    real(cell(file, of_size . sprintf(' active_blocks=%.0f', last), 'time_us')) \
    left offset 0.6, (narrow ? -0.3 : 0.5) font small textcolor rgb ink(i)
}
plot for [m = 1:n_machines] for [i = 1:6] rows(csv( \
  'occupancy/active_blocks', word(machines, m)), \
  'block_threads=' . word(sizes, i)) using \
  (column("active_blocks")):(column("time_us")) with linespoints \
  linecolor rgb ink(i) linewidth weight(m) dashtype dash(m) \
  pointtype mark(i) pointsize 0.7
