# title: Bandwidth of reading the same bytes again, against how many they are
# data: bench/hardware/l2.reference.csv
figure_height = 320
load 'figures/common/style.gp'
file = csv('hardware/l2', machine)
set logscale x 2
set xrange [2 ** 21:2 ** 30]; set yrange [0:*]
set xtics ()
do for [e = 21:30] { set xtics add (sprintf('%.0f', 2.0 ** (e - 20)) 2.0 ** e) }
set xlabel 'working set in MiB (logarithmic)'
set ylabel 'GB/s'
if (n_machines > 1) { unset label 999; load 'figures/common/key.gp' }
l2 = real(system("awk -F, '!/^#/ { if (seen++) { print $2; exit } }' " . file))
set arrow 1 from first l2, graph 0 to first l2, graph 1 nohead dashtype '-' \
  linecolor rgb colour_muted
set label 1 'size of L2 as the runtime says' at first l2, graph 0.96 \
  left offset 0.6, 0 font small
plot for [m = 1:n_machines] csv('hardware/l2', word(machines, m)) using \
  (column("n_bytes")):(column("gb_per_s")) with linespoints linetype 1 \
  dashtype dash(m) linewidth weight(m) title n_machines > 1 ? gpu(m) : ''
