# title: What storing costs, against the scale
# data: bench/precision/scales.software.csv
figure_height = 340
load 'figures/common/style.gp'
file = csv('precision/scales', 'software')
unset label 999
formats = 'half bfloat16 e4m3 e5m2'
set logscale y 10
set xrange [-24:24]; set yrange [1e-4:1.5]
set xtics (); set ytics ('1' 1)
do for [e = 0:24:8] { set xtics add (power(2, e) e) }
do for [e = 8:24:8] { set xtics add ('2⁻' . raised(e) -e) }
do for [e = 1:4] { set ytics add ('10⁻' . raised(e) 10.0 ** -e) }
set xlabel 'scale'
set ylabel 'relative error (logarithmic)'
unset key
do for [i = 1:4] {
  set label i word(formats, i) at -3, \
    real(cell(file, 'format=' . word(formats, i) . ' scale_exponent=0', \
    'error')) offset 0, 0.6 textcolor rgb colour(i)
}
plot for [i = 1:4] rows(file, 'format=' . word(formats, i)) using \
  (column("scale_exponent")):(column("error")) with lines \
  linetype i
