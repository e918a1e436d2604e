# title: Errors of sums in different orders
# data: bench/measuring/errors.software.csv
figure_height = 390
load 'figures/common/style.gp'
file = csv('measuring/errors', 'software')
versions = 'in_order tree compensated'
names = '"one thread, in order" "many threads, in pairs" "one thread, compensated"'
unset label 999
shown(e) = e < 0.01 ? 0.01 : e
set logscale x 2; set logscale y 10
set xrange [2.0 ** 7.7:2.0 ** 20.3]; set yrange [0.008:4e6]
set xtics ()
do for [e = 8:20:2] { set xtics add (power(2, e) 2.0 ** e) }
set ytics ('≤ 0.01' 0.01, '0.1' 0.1, '1' 1, '10' 10, '100' 100, \
  '1000' 1000)
do for [e = 4:6:2] { set ytics add (power(10, e) 10.0 ** e) }
set xlabel 'summands (logarithmic)'
set ylabel 'error, in 2⁻²⁴ of the sum (logarithmic)'
key_lines = 2; key_narrow_lines = 5
load 'figures/common/key.gp'
plot for [i = 1:3] rows(file, 'version=' . word(versions, i)) using \
  (column("n_elems")):(shown(column("error_u"))) with linespoints \
  linetype i title word(names, i), \
  for [i = 1:2] rows(file, 'version=' . word(versions, i)) using \
  (column("n_elems")):(column("additions")) with lines \
  linecolor rgb colour(i) linewidth 1.5 dashtype 2 \
  title word('"additions, in order" "additions, in pairs"', i)
