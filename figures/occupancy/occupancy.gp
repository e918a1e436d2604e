# title: Time against occupancy
# data: bench/occupancy/occupancy.h200.csv
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
set key top right Right noreverse
plot for [m = 1:n_machines] for [i = 1:5] rows(csv('occupancy/occupancy', \
  word(machines, m)), 'version=' . word(versions, i)) using \
  (column("occupancy")):(1 / column("speedup")) with linespoints \
  linecolor rgb ink(i) linewidth weight(m) dashtype dash(m) \
  pointtype mark(i) pointsize 0.7 title m == 1 ? \
  spaced_name(word(versions, i)) : ''
