# title: The error after each step, for both orders of the updates
# data: bench/nmf/convergence.software.csv
figure_height = 320
load 'figures/common/style.gp'
file = csv('nmf/convergence', 'software')
unset label 999
set logscale y 10
set xrange [0:200]; set yrange [0.02:200]
set ytics ()
do for [e = -1:2] { set ytics add (sprintf('%g', 10.0 ** e) 10.0 ** e) }
set xlabel 'steps'
set ylabel 'relative error (logarithmic)'
set rmargin at screen right_at(0.80)
unset key
last = 'step=200'
set label 1 'in turn' at 200, \
  real(cell(file, 'version=in_turn ' . last, 'relative_error')) left \
  offset 1, 0 textcolor rgb colour_1
set label 2 'both at once' at 200, 8 left offset 1, 0 textcolor rgb colour_2
plot rows(file, 'version=at_once') using \
  (column("step")):(column("relative_error")) with lines linetype 2 \
  linewidth 0.7, \
  rows(file, 'version=in_turn') using \
  (column("step")):(column("relative_error")) with lines linetype 1
