# title: Time against occupancy
# data: bench/occupancy/occupancy.reference.csv
figure_height = 360
load 'figures/common/style.gp'
versions = 'copy_one copy_many matmul_tile polynomial_one polynomial_four'
spaced_name(s) = system("printf %s '" . s . "' | tr _ ' '")
ink(i) = i < 5 ? colour(i) : colour_ink
mark(i) = i < 5 ? point(i) : 4
set xrange [0.09:1.03]; set yrange [0:1.05]
set xtics ('1/8' 0.125, '2/8' 0.25, '3/8' 0.375, '4/8' 0.5, '5/8' 0.625, \
  '6/8' 0.75, '7/8' 0.875, '1' 1)
set xlabel 'occupancy'
set ylabel 'time, relative to that of one active block'
unset key
set rmargin at screen right_at(0.8)
file = csv('occupancy/occupancy', machine)
array last_x[5]
array last_y[5]
ends = ''
do for [i = 1:5] {
  its = rows(file, 'version=' . word(versions, i))
  stats its using (column("occupancy")) nooutput
  last_x[i] = STATS_max
  stats its using (column("occupancy") < last_x[i] ? NaN : \
    1 / column("speedup")) nooutput
  last_y[i] = STATS_max
  ends = ends . (last_x[i] < 1 ? ' 2' : \
    sprintf(' %.4f', fraction(last_y[i], 0, 1.05)))
}
ends = spread(ends, 0.065)
do for [i = 1:5] {
  if (last_x[i] < 1) {
    set label i spaced_name(word(versions, i)) at last_x[i], last_y[i] left \
      offset 0.7, 0.3 textcolor rgb ink(i)
  } else {
    set label i spaced_name(word(versions, i)) at graph 1.02, \
      graph real(word(ends, i)) left textcolor rgb ink(i)
  }
}
plot for [m = 1:n_machines] for [i = 1:5] rows(csv('occupancy/occupancy', \
  word(machines, m)), 'version=' . word(versions, i)) using \
  (column("occupancy")):(1 / column("speedup")) with linespoints \
  linecolor rgb ink(i) linewidth weight(m) dashtype dash(m) \
  pointtype mark(i) pointsize 0.7
