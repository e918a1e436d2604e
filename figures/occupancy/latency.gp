# title: Latency of a load against the size of what is walked through
# data: bench/occupancy/latency.reference.csv
figure_height = 300
load 'figures/common/style.gp'
set logscale x 2
most = highest('occupancy/latency', 'n_bytes')
set xrange [2 ** 13:most]; set yrange [0:*]
set xtics ()
do for [e = 13:40] {
  if (e % 4 == 2) { set xtics add (sprintf(e < 20 ? '%.0f KiB' : \
    e < 30 ? '%.0f MiB' : '%.0f GiB', 2.0 ** (e % 10)) 2.0 ** e) }
}
set xlabel 'size (logarithmic)'
set ylabel 'latency in cycles'
level(bytes) = real(cell(csv('occupancy/latency', machine), 'what=global n_bytes=' . \
  bytes, 'latency_cycles'))
set label 1 'L1' at 2.0 ** 15, level('131072') center offset 0, 0.7 font small
set label 2 'L2' at 2.0 ** 21, level('4194304') center offset 0, 0.7 font small
set label 3 'memory' at 2.0 ** 30, level('268435456') center offset 0, 0.9 font small
if (n_machines > 1) { unset label 999; load 'figures/common/key.gp' }
plot for [m = 1:n_machines] rows(csv('occupancy/latency', \
  word(machines, m)), 'what=global') using (column("n_bytes")): \
  (column("latency_cycles")) with linespoints linetype 1 dashtype dash(m) \
  title n_machines > 1 ? gpu(m) : ''
