# title: How long a small kernel waits while another one fills the GPU
# data: bench/streams/priorities.reference.csv
figure_height = 330
load 'figures/common/style.gp'
set logscale xy 10
set xrange [8:13000]
low = lowest('streams/priorities', 'wait_us') / 2
high = highest('streams/priorities', 'wait_us') * 2
set yrange [low:high]
set xtics ('10' 10, '100' 100, '1000' 1000, '10 000' 10000)
set ytics ('1' 1)
do for [e = 1:5] { set ytics add (grouped(10.0 ** e) 10.0 ** e) }
set xlabel 'time of one block of the large kernel in µs (logarithmic)'
set ylabel 'wait in µs (logarithmic)'
unset key
set lmargin at screen left_at(0.14)
set rmargin at screen right_at(narrow ? 0.9 : 0.78)
names = narrow ? 'equal high alone' : \
  '"equal priorities" "high priority" "nothing else runs"'
versions = 'equal high alone'
file = csv('streams/priorities', machine)
ends = ''
do for [i = 1:3] {
  y = real(cell(file, sprintf('version=%s block_us=%s', word(versions, i), \
    word(values(file, 'block_us'), words(values(file, 'block_us')))), \
    'wait_us'))
  ends = ends . sprintf(' %.4f', fraction_log(y, low, high))
}
ends = spread(ends, 0.12)
do for [i = 1:3] {
  set label i word(names, i) at graph 1.02, graph real(word(ends, i)) left \
    textcolor rgb colour(i)
}
plot for [m = 1:n_machines] for [i = 1:3] rows(csv('streams/priorities', \
  word(machines, m)), 'version=' . word(versions, i)) using \
  (column("block_us")):(column("wait_us")) with linespoints linetype i \
  linewidth weight(m) dashtype dash(m)
