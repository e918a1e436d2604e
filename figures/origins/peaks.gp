# title: Peak arithmetic and memory bandwidth of CPUs and GPUs
# data: bench/origins/peaks.cited.csv
figure_height = narrow ? 640 : 380
load 'figures/common/style.gp'
file = csv('origins/peaks', 'cited')

kinds = 'gpu cpu'
names = '"GPU" "CPU"'
columns = 'gflop_per_s gb_per_s'
heads = '"peak, GFLOP/s" "memory, GB/s"'
unset label 999
unset key
set logscale y 10
set xrange [2006:2027]
set xtics 2008, 4
set multiplot
do for [k = 1:2] {
  set lmargin at screen left_at(narrow || k == 1 ? 0.11 : 0.59)
  set rmargin at screen narrow || k == 2 ? right_at(0.96) : 0.47
  set tmargin at screen narrow && k == 2 ? 0.44 : narrow ? 0.94 : 0.90
  set bmargin at screen narrow && k == 1 ? 0.56 : narrow ? 0.06 : 0.09
  set yrange [k == 1 ? 50 : 10:k == 1 ? 2e5 : 1e4]
  set ytics ()
  set ytics ()
  do for [e = 1:5] { set ytics add (grouped(10.0 ** e) 10.0 ** e) }
  set label 20 word(heads, k) at graph 0, graph 1.06 left
  set label 1 'GPU' at 2010, (k == 1 ? 3600 : 350) right \
    textcolor rgb role_gpu
  set label 2 'CPU' at 2013.5, (k == 1 ? 230 : 36) left \
    textcolor rgb role_cpu
  plot for [i = 1:2] rows(file, 'kind=' . word(kinds, i)) \
    using (column("year")):(column(word(columns, k))) with linespoints \
    linetype i
}
unset multiplot
