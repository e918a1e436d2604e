# title: What a texture of four texels gives between and beyond them
# data: bench/constant_texture/modes.reference.csv
figure_height = 560
load 'figures/common/style.gp'
unset label 999
modes = 'clamp border wrap mirror'
file = csv('constant_texture/modes', machine)
set xrange [-1:2]
set yrange [-0.3:4.5]
set xtics -1, 0.5, 2
set ytics 0, 1, 4
set multiplot
unset key
do for [i = 1:4] {
  left = i % 2 == 1
  set lmargin at screen (left ? 0.08 : 0.55)
  set rmargin at screen (left ? 0.5 : 0.985)
  set tmargin at screen (i <= 2 ? 0.89 : 0.46)
  set bmargin at screen (i <= 2 ? 0.56 : 0.13)
  set xlabel (i > 2 ? 'normalised coordinate' : '')
  set ylabel (left ? 'value' : '')
  set label 1 word(modes, i) at graph 0.5, graph 1 center offset 0, 0.7
  set arrow 1 from 0, graph 0 to 0, graph 1 nohead linecolor rgb colour_muted dashtype '-'
  set arrow 2 from 1, graph 0 to 1, graph 1 nohead linecolor rgb colour_muted dashtype '-'
  if (i == 1) { set key at screen 0.985, screen 0.99 right top horizontal Right noreverse samplen 2 } else { unset key }
  plot rows(file, 'version=' . word(modes, i)) using \
      (column("coordinate")):(column("point")) with steps \
      linecolor rgb colour_2 linewidth 1.5 title 'point', \
    rows(file, 'version=' . word(modes, i)) using \
      (column("coordinate")):(column("linear")) with lines \
      linecolor rgb colour_1 linewidth 2 title 'linear'
}
unset multiplot
