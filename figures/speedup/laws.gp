# title: Amdahl's law and Gustafson's law
# data: bench/speedup/laws.software.csv
figure_height = 430
load 'figures/common/style.gp'
file = csv('speedup/laws', 'software')

# Two panels with the same axes, both logarithmic.
percents = values(file, 'percent')
heads = '"Amdahl: the same work" "Gustafson: work that grows"'
laws = 'amdahl gustafson'
set logscale x 2; set logscale y 2
set xrange [1:65536]; set yrange [1:65536]
set xtics (); set ytics ()
do for [e = 0:16:4] {
  set xtics add (sprintf('%d', 2 ** e) 2 ** e)
}
do for [e = 0:16:2] { set ytics add (sprintf('%d', 2 ** e) 2 ** e) }
ink(i) = word(colour_4 . ' ' . colour_3 . ' ' . colour_2 . ' ' . colour_1 . \
  ' ' . colour_ink, i)
mark(i) = int(word('13 5 9 7 4', i))
unset key
unset label 999
set tmargin at screen 0.92; set bmargin at screen 0.14
set multiplot
do for [k = 1:2] {
  set lmargin at screen k == 1 ? 0.105 : 0.575
  set rmargin at screen k == 1 ? 0.465 : 0.945
  set label 20 word(heads, k) at graph 0, graph 1.05 left
  set xlabel 'processors' offset 0, 0.4
  if (k == 1) { set ylabel 'speed-up' } else { unset ylabel }
  if (k == 1) {
    do for [i = 1:words(percents)] {
      set label i word(percents, i) . ' %' at 70000, \
        real(cell(file, sprintf('law=amdahl n=65536 percent=%s', \
        word(percents, i)), 'speedup')) offset 0.3, 0 left \
        textcolor rgb ink(i)
    }
  } else {
    do for [i = 1:words(percents)] { unset label i }
    set label 1 '50 to 99 %' at 3000, 250 left
  }
  plot for [i = 1:words(percents)] rows(file, sprintf('law=%s percent=%s', \
    word(laws, k), word(percents, i))) \
    using (column("n")):(column("speedup")) with linespoints \
    linecolor rgb ink(i) linewidth 2 pointtype mark(i) pointsize 0.45
}
unset multiplot
