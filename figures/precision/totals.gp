# title: Counting up in seven formats
# data: bench/precision/totals.software.csv
figure_height = 380
load 'figures/common/style.gp'
file = csv('precision/totals', 'software')
unset label 999
formats = 'float tf32 half bfloat16 e4m3 e5m2'
set logscale x 2; set logscale y 2
set xrange [1:2.0 ** 25]; set yrange [1:2.0 ** 25.4]
set xtics (); set ytics ()
do for [e = 0:24:4] { set xtics add (power(2, e) 2.0 ** e) }
do for [e = 0:24:4] { set ytics add (power(2, e) 2.0 ** e) }
set xlabel 'ones added (logarithmic)'
set ylabel 'total (logarithmic)'
set rmargin 13
unset key
total_of(f) = real(cell(file, 'format=' . f . ' n_additions=33554432', \
  'total_mean'))
line_colour(i) = i == 2 || i == 6 ? colour_muted : colour(i == 1 ? 1 : i - 1)
do for [i = 1:6] {
  set label i word(formats, i) at 2.0 ** 25, total_of(word(formats, i)) \
    left offset 1, (i == 2 ? 0.35 : i == 3 ? -0.35 : i == 5 ? 0.2 : \
    i == 6 ? -0.2 : 0) textcolor rgb line_colour(i)
}
set label 7 'bfloat16, rounded at random' at 2.0 ** 16.6, 2.0 ** 18.4 right
plot for [i = 1:6] rows(file, 'format=' . word(formats, i)) using \
  (column("n_additions")):(column("total_mean")) with lines \
  linecolor rgb line_colour(i) linewidth 2, \
  rows(file, 'format=bfloat16_stochastic') using \
  (column("n_additions")):(column("total_mean")) with points \
  pointtype 7 pointsize 0.5 linecolor rgb colour_ink
