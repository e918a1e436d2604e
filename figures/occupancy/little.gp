# title: Little's law with average bytes in flight and average latency
# data: bench/occupancy/little.reference.csv
# data: bench/occupancy/latency.reference.csv
figure_height = 530
load 'figures/common/style.gp'
versions = 'reads_1 reads_2 reads_4 reads_8 reads_16_bytes_1 reads_16_bytes_4'
names = '"1 × 4 bytes" "2 × 4" "4 × 4" "8 × 4" "1 × 16" "4 × 16"'
ink(i) = i < 5 ? colour(i) : i == 5 ? colour_ink : colour_muted
mark(i) = i < 5 ? point(i) : i == 5 ? 4 : 6
idle = real(cell(csv('occupancy/latency', machine), \
  'what=global n_bytes=268435456', 'latency_ns'))
sms = real(cell(csv('occupancy/little', machine), \
  'version=reads_1 active_warps=1', 'multiprocessors'))
set logscale x 2
set xrange [100:70000]
set lmargin at screen 0.13; set rmargin at screen 0.97
key_lines = 2; key_narrow_lines = 3
load 'figures/common/key.gp'
set multiplot
set bmargin at screen 0.46
set xtics ()
do for [e = 7:17] { if (e % 2) { set xtics add ('' 2.0 ** e) } }
top = highest('occupancy/little', 'gb_per_s')
set yrange [0:top * 1.08]
set ylabel 'bandwidth in GB/s'
law(x) = x * sms / idle < top * 1.08 ? x * sms / idle : NaN
set samples 400
plot for [m = 1:n_machines] for [i = 1:6] rows(csv('occupancy/little', \
  word(machines, m)), 'version=' . word(versions, i)) using \
  (column("average_bytes")):(column("gb_per_s")) with linespoints \
  linecolor rgb ink(i) linewidth weight(m) dashtype dash(m) \
  pointtype mark(i) pointsize 0.6 title m == 1 ? word(names, i) : '', \
  law(x) with lines dashtype '-' linecolor rgb role_ceiling \
  title 'idle latency'
set tmargin at screen 0.42; set bmargin at screen 0.12
set xtics ()
do for [e = 7:17] { if (e % 2) { set xtics add (sprintf(e < 10 ? '%.0f B' : \
  '%.0f KiB', 2.0 ** (e < 10 ? e : e - 10)) 2.0 ** e) } }
set xlabel 'average bytes in flight per SM (logarithmic)'
set ylabel 'latency in ns'
set yrange [0:*]
unset label 999
plot for [m = 1:n_machines] for [i = 1:6] rows(csv('occupancy/little', \
  word(machines, m)), 'version=' . word(versions, i)) using \
  (column("average_bytes")):(column("latency_ns")) with linespoints \
  linecolor rgb ink(i) linewidth weight(m) dashtype dash(m) \
  pointtype mark(i) pointsize 0.6 notitle, \
  idle with lines dashtype '-' linecolor rgb colour_muted notitle
unset multiplot
