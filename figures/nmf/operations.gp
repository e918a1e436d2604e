# title: The operations of a step with cuBLAS, predicted and measured
# data: bench/nmf/operations.reference.csv
# data: bench/roofline/ceilings.reference.csv
# data: bench/matmul/ladder.reference.csv
figure_height = 370
load 'figures/common/style.gp'
load 'figures/common/bars.gp'
file = csv('nmf/operations', machine)
bytes_per_us = 1e3 * real(cell(csv('roofline/ceilings', machine), \
  'version=memory_copy', 'gb_per_s'))
flop_per_us = 1e3 * real(cell(csv('matmul/ladder', machine), \
  'version=snake', 'gflop_per_s'))
larger(a, b) = a > b ? a : b
predicted(bytes, flop) = larger(bytes / bytes_per_us, flop / flop_per_us)
names = '"weights: parts by pictures" "parts by parts" "gram by weights" ' . \
  '"scale the weights" "parts: pictures by weights" "weights by weights" ' . \
  '"parts by gram" "scale the parts"'
n = words(names)
set lmargin at screen left_at(0.30); set rmargin at screen right_at(0.95)
set yrange [n - 0.4:-0.6]
set ytics ()
do for [i = 1:n] { set ytics add (word(names, i) i - 1) }
set xrange [0:*]
set xtics tic_step(highest('nmf/operations', 'time_us'), narrow ? 4 : 7)
set xlabel 'time in µs'
load 'figures/common/key.gp'
bars_side_by_side = 2
plot file using (0):(column(0)):(0):(predicted(column("n_bytes"), \
  column("n_flop"))):(bar_low(column(0), 1)):(bar_high(column(0), 1)) \
  with boxxyerror linecolor rgb role_ceiling title 'predicted', \
  file using (0):(column(0)):(0):(column("time_us")): \
  (bar_low(column(0), 2)):(bar_high(column(0), 2)) with boxxyerror \
  linecolor rgb role_vendor title 'measured'
