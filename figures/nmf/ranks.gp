# title: Share of a copy over the number of parts
# data: bench/nmf/ranks.reference.csv
figure_height = 330
load 'figures/common/style.gp'
set logscale x 2
set xrange [7:74]
set xtics (8, 16, 32, 64)
set yrange [0:100]
set xlabel 'parts (logarithmic)'
set ylabel 'share of the copy in %'
set rmargin at screen right_at(0.83)
unset key
names = '"one pass" "two passes" "cuBLAS"'
versions = 'once twice cublas'
inks = colour_1 . ' ' . colour_3 . ' ' . role_vendor
file = csv('nmf/ranks', machine)
do for [i = 1:3] {
  set label i word(names, i) at 8, real(cell(file, 'version=' . \
    word(versions, i) . ' n_parts=8', 'share_of_copy')) * 100 left \
    offset 0.5, i == 1 ? 0.6 : i == 2 ? -3.6 : 1.0 textcolor rgb word(inks, i)
}
plot for [m = 1:n_machines] for [i = 1:3] rows(csv('nmf/ranks', \
  word(machines, m)), 'version=' . word(versions, i)) using \
  (column("n_parts")):(column("share_of_copy") * 100) with linespoints \
  linecolor rgb word(inks, i) pointtype point(i) linewidth weight(m) \
  dashtype dash(m) notitle
