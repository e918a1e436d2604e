# title: Time of one load on a walk through more and more memory, on the CPU
# data: bench/speedup/loads.reference.csv
# data: bench/speedup/chains.reference.csv
figure_height = 340
load 'figures/common/style.gp'
file = csv('speedup/loads', machine)
link = real(cell(csv('speedup/chains', machine), 'chains=1', 'ns_per_link'))

set logscale x 2; set logscale y 10
first = lowest('speedup/loads', 'n_kib'); last = highest('speedup/loads', 'n_kib')
set xrange [first:last * 1.02]
set yrange [0.5:10 ** ceil(log10(highest('speedup/loads', 'ns_per_load')))]
set xtics ('16 KiB' 16, '128 KiB' 128, '1 MiB' 1024, '8 MiB' 8192, \
  '64 MiB' 65536, '512 MiB' 524288)
set ytics ('1' 1, '10' 10, '100' 100, '1000' 1000)
set xlabel 'size of the walk (logarithmic)'
set ylabel 'ns for one step (logarithmic)'
unset key
set arrow 1 from graph 0, first link to graph 1, first link nohead \
  dashtype '-' linecolor rgb colour_muted
set label 1 'one multiplication and one addition' at graph 0.99, first link \
  offset 0, 0.6 right textcolor rgb colour_muted
plot for [m = 1:n_machines] csv('speedup/loads', word(machines, m)) \
  using (column("n_kib")):(column("ns_per_load")) with linespoints \
  linecolor rgb role_cpu pointtype 9 linewidth weight(m) dashtype dash(m)
