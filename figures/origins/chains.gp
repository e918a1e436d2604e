# title: Time for one chain of additions and for many, on CPU and GPU
# data: bench/origins/chains.reference.csv
figure_height = 420
load 'figures/common/style.gp'
file = csv('origins/chains', machine)

versions = 'one_core all_cores gpu'
names = '"one core" "all cores" "GPU"'
set logscale x 2; set logscale y 10
last = highest('origins/chains', 'n_chains')
low = 10 ** floor(log10(lowest('origins/chains', 'time_us')))
high = 10 ** ceil(log10(highest('origins/chains', 'time_us')))
set xrange [1:last * 1.02]; set yrange [low:high]
set xtics ()
do for [e = 0:40:4] { set xtics add (power(2, e) 2.0 ** e) }
set ytics ('0.1' 0.1, '1' 1, '10' 10, '100' 100, '1000' 1000)
do for [e = 4:9] { set ytics add (power(10, e) 10.0 ** e) }
set xlabel 'chains (logarithmic)'
set ylabel 'time in µs (logarithmic)'
set rmargin 12
inks = role_cpu . ' ' . role_cpu . ' ' . role_gpu
marks = '8 9 7'
unset key
ends = ''
do for [i = 1:3] {
  y = real(cell(file, sprintf('version=%s n_chains=%.0f', word(versions, i), \
    last), 'time_us'))
  ends = ends . sprintf(' %.4f', fraction_log(y, low, high))
}
ends = spread(ends, 0.06)
do for [i = 1:3] {
  set label i word(names, i) at graph 1.02, graph real(word(ends, i)) left \
    textcolor rgb word(inks, i)
}
plot for [m = 1:n_machines] for [i = 1:3] \
  rows(csv('origins/chains', word(machines, m)), \
    'version=' . word(versions, i)) \
  using (column("n_chains")):(column("time_us")) with linespoints \
  linecolor rgb word(inks, i) pointtype int(word(marks, i)) \
  linewidth weight(m) dashtype dash(m)
