# title: Lines of code and compile time of each version
# data: bench/libraries/cost.reference.csv
figure_height = narrow ? 640 : 380
load 'figures/common/style.gp'
load 'figures/common/bars.gp'

file = csv('libraries/cost', machine)
versions = values(file, 'version')
n = words(versions)
set yrange [n - 0.4:-0.75]
set ytics ()
do for [i = 1:n] { set ytics add (spaced(word(versions, i)) i - 1) }
bars_side_by_side = 1
# What is written here, and what a library does.
ink(version) = faded_number(strstrt(version, 'by_hand') ? role_gpu : \
  role_vendor, 1)
set multiplot
set lmargin at screen narrow ? 0.36 : 0.24
set rmargin at screen narrow ? 0.97 : 0.58
set tmargin at screen narrow ? 0.95 : 0.93
set bmargin at screen narrow ? 0.56 : 0.14
set xlabel 'lines of code'
set xtics 20
set xrange [0:*]
plot file using (0):(column(0)):(0):(column("n_lines")): \
  (bar_low(column(0), 1)):(bar_high(column(0), 1)): \
  (ink(stringcolumn("version"))) with boxxyerror linecolor rgb variable notitle
if (narrow) {
  set tmargin at screen 0.46; set bmargin at screen 0.07
} else {
  set lmargin at screen 0.63; set rmargin at screen 0.985
  unset ytics
}
set label 999 ''
set xlabel 'compile time in s'
set xtics autofreq
plot file using (0):(column(0)):(0):(column("compile_ms") * 1e-3): \
  (bar_low(column(0), 1)):(bar_high(column(0), 1)): \
  (ink(stringcolumn("version"))) with boxxyerror linecolor rgb variable notitle
unset multiplot
