# title: Bandwidth against the bytes in flight per SM
# data: bench/occupancy/reads.reference.csv
figure_height = 380
load 'figures/common/style.gp'
file = csv('occupancy/reads', machine)
versions = 'reads_1 reads_2 reads_4 reads_8 reads_16_bytes_1 reads_16_bytes_4'
names = '"1 × 4 bytes" "2 × 4" "4 × 4" "8 × 4" "1 × 16" "4 × 16"'
ink(i) = i < 5 ? colour(i) : i == 5 ? colour_ink : colour_muted
mark(i) = i < 5 ? point(i) : i == 5 ? 4 : 6
set logscale x 2
set xrange [100:180000]; set yrange [0:*]
set xtics ()
do for [e = 7:17] { if (e % 2) { set xtics add (sprintf(e < 10 ? '%.0f B' : \
  '%.0f KiB', 2.0 ** (e < 10 ? e : e - 10)) 2.0 ** e) } }
set xlabel narrow ? 'bytes in flight per SM, peak (logarithmic)' : \
  'bytes in flight per SM, at the peak (logarithmic)'
set ylabel 'bandwidth in GB/s'
key_lines = 2; key_narrow_lines = 2
load 'figures/common/key.gp'
plot for [m = 1:n_machines] for [i = 1:6] rows(csv('occupancy/reads', \
  word(machines, m)), 'version=' . word(versions, i)) using \
  (column("in_flight_bytes")):(column("gb_per_s")) with linespoints \
  linecolor rgb ink(i) linewidth weight(m) dashtype dash(m) \
  pointtype mark(i) pointsize 0.6 title m == 1 ? word(names, i) : ''
