# title: Errors of dot products of halves
# data: bench/precision/errors.software.csv
figure_height = 340
load 'figures/common/style.gp'
file = csv('precision/errors', 'software')
unset label 999
versions = 'in_half inputs in_chunks in_float'
names = '"total in half" "rounding the inputs" "16 in half, then float" "total in float"'
set logscale x 2; set logscale y 10
set xrange [4:2.0 ** 16]; set yrange [1e-8:3]
set xtics (); set ytics ()
e_step = exists("narrow") && narrow ? 4 : 2
do for [e = 4:16:e_step] { set xtics add (power(2, e) 2.0 ** e) }
set ytics ('1' 1)
do for [e = -8:-2:2] { set ytics add ('10⁻' . raised(-e) 10.0 ** e) }
set xlabel 'products added (logarithmic)'
set ylabel 'relative error, mean (logarithmic)'
unset key
set rmargin 22
do for [i = 1:4] {
  set label i word(names, i) at 2.0 ** 16, \
    real(cell(file, 'version=' . word(versions, i) . ' n_elems=65536', \
    'error_mean')) left offset 1, (i == 2 ? -0.5 : i == 4 ? 0 : \
    i == 3 ? 0.4 : 0) textcolor rgb colour(i)
}
plot for [i = 1:4] rows(file, 'version=' . word(versions, i)) using \
  (column("n_elems")):(column("error_mean")) with linespoints \
  linetype i
