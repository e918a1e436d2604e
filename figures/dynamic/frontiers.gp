# title: Frontiers of two networks, and the neighbours that each direction looks at
# data: bench/dynamic/frontiers.software.csv
stacked = exists("narrow") && narrow
figure_height = stacked ? 640 : 430
load 'figures/common/style.gp'
file = csv('dynamic/frontiers', 'software')
set logscale y
set yrange [1:2e7]
set ytics ('1' 1, '100' 100, '10 000' 10000, '10⁶' 1e6)
set xrange [-0.3:6.5]
set xtics 1
set xlabel 'level'
positive(x) = x > 0 ? x : NaN
set multiplot
key_narrow_lines = 2
load 'figures/common/key.gp'
do for [i = 1:2] {
  name = word('power random', i)
  set lmargin at screen (stacked ? 0.2 : i == 1 ? 0.11 : 0.58)
  set rmargin at screen (stacked ? 0.97 : i == 1 ? 0.53 : 0.985)
  set tmargin at screen (i == 1 || !stacked ? 1 - (key_height + 6) / figure_height : 0.39)
  set bmargin at screen (!stacked ? 0.13 : i == 1 ? 0.51 : 0.07)
  set label 999 i == 1 ? 'power law' : 'random' at graph 0, graph 1 left offset 0, 0.7
  if (i == 2) { unset key }
  if (i == 2 && !stacked) { set format y ''; set ytics ('' 1, '' 100, '' 10000, '' 1e6) }
  plot rows(file, 'network=' . name) using \
      (column("level")):(positive(column("n_vertices"))) with linespoints \
      linetype 3 title 'frontier', \
    rows(file, 'network=' . name) using \
      (column("level")):(positive(column("n_down"))) with linespoints \
      linetype 1 title 'seen from the frontier', \
    rows(file, 'network=' . name) using \
      (column("level")):(positive(column("n_up"))) with linespoints \
      linetype 2 title 'seen from the rest'
}
unset multiplot
