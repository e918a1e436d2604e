# title: Transistors and clock of processors over fifty years
# data: bench/origins/processors.cited.csv
figure_height = 430
load 'figures/common/style.gp'
file = csv('origins/processors', 'cited')

unset label 999
unset key
set lmargin at screen left_at(0.13); set rmargin at screen right_at(0.97)
set xrange [1970:2023]
set xtics 1970, 10
set logscale y 10
set multiplot
set tmargin at screen 0.95; set bmargin at screen 0.55
set yrange [1e3:1e12]
set ytics ()
do for [e = 3:12:3] { set ytics add (power(10, e) 10.0 ** e) }
set format x ''
set ylabel 'transistors'
set arrow 1 from 1971.9, 2300 to 2021.9, 2300 * 2.0 ** 25 nohead \
  dashtype '-' linecolor rgb colour_muted
set label 1 'doubling every two years' at 1992, 1e8 right font small \
  textcolor rgb colour_muted
plot rows(file, 'quantity=transistors') \
  using (column("year")):(column("value")) with points linetype 1 \
  pointsize 0.45
unset arrow 1; unset label 1
set tmargin at screen 0.49; set bmargin at screen 0.10
set yrange [0.3:1e4]
set ytics ('1 MHz' 1, '10 MHz' 10, '100 MHz' 100, '1 GHz' 1000)
set format x '%g'
set ylabel 'clock'
set arrow 2 from 2004.5, 0.3 to 2004.5, 1e4 nohead dashtype '-' \
  linecolor rgb colour_muted
set label 2 'the doubling ends' at 2005.3, 0.8 left font small \
  textcolor rgb colour_muted
plot rows(file, 'quantity=clock_mhz') \
  using (column("year")):(column("value")) with points linetype 2 \
  pointsize 0.5
unset multiplot
