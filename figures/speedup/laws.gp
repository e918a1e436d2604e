# title: Amdahl's law, and how much of each processor both laws leave in use
# data: bench/speedup/laws.software.csv
figure_height = exists("narrow") && narrow ? 680 : 430
load 'figures/common/style.gp'
file = csv('speedup/laws', 'software')

# Left, the speed-up by Amdahl's law; right, by both laws, the speed-up for each
# processor. Below each other on phones.
percents = values(file, 'percent')
ink(i) = word(colour_4 . ' ' . colour_3 . ' ' . colour_2 . ' ' . colour_1 . \
  ' ' . colour_ink, i)
mark(i) = int(word('13 5 9 7 4', i))
of(law, i) = rows(file, sprintf('law=%s percent=%s', law, word(percents, i)))
at_most(law, i) = real(cell(file, sprintf('law=%s n=65536 percent=%s', law, \
  word(percents, i)), 'speedup'))
unset key
unset label 999
set logscale x 2
set xrange [1:65536]
set xtics ()
do for [e = 0:16:4] { set xtics add (sprintf('%d', 2 ** e) 2 ** e) }
set xlabel 'processors (logarithmic)' offset 0, 0.4
set multiplot
set tmargin at screen narrow ? 0.95 : 0.92
set bmargin at screen narrow ? 0.57 : 0.14
set lmargin at screen left_at(0.085)
set rmargin at screen narrow ? right_at(0.92) : 0.43
set logscale y 2
set yrange [1:256]
set ytics ()
do for [e = 0:8:2] { set ytics add (sprintf('%d', 2 ** e) 2 ** e) }
set label 20 'speed-up (logarithmic), Amdahl' at graph 0, graph 1 left \
  offset 0, 0.9
do for [i = 1:words(percents)] {
  set label i word(percents, i) . ' %' at 65536, at_most('amdahl', i) \
    offset 0.6, 0 left textcolor rgb ink(i)
}
plot for [i = 1:words(percents)] of('amdahl', i) \
  using (column("n")):(column("speedup")) with linespoints \
  linecolor rgb ink(i) linewidth 2 pointtype mark(i) pointsize 0.45

set tmargin at screen narrow ? 0.44 : 0.92
set bmargin at screen narrow ? 0.07 : 0.14
set lmargin at screen narrow ? left_at(0.085) : 0.565
set rmargin at screen right_at(0.92)
unset logscale y
set yrange [0:104]
set ytics autofreq 20
set label 20 'speed-up per processor, %'
ends = ''
do for [i = 1:words(percents)] {
  ends = ends . sprintf(' %.4f', at_most('gustafson', i) / 65536 / 1.04)
}
ends = spread(ends, 0.062)
do for [i = 1:words(percents)] {
  set label i word(percents, i) . ' %' at graph 1, \
    graph real(word(ends, i)) offset 0.6, 0 left textcolor rgb ink(i)
}
set label 21 'Gustafson' at 700, 58 left font small textcolor rgb colour_muted
set label 22 'Amdahl' at 700, 17 left font small textcolor rgb colour_muted
plot for [i = 1:words(percents)] of('gustafson', i) \
    using (column("n")):(100 * column("speedup") / column("n")) \
    with linespoints linecolor rgb ink(i) linewidth 2 pointtype mark(i) \
    pointsize 0.45, \
  for [i = 1:words(percents)] of('amdahl', i) \
    using (column("n")):(100 * column("speedup") / column("n")) with lines \
    linecolor rgb ink(i) linewidth 1.5 dashtype 2
unset multiplot
