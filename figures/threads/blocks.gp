# title: Which multiprocessor ran which block, and when
# data: bench/threads/blocks.h200.csv
figure_height = 420
load 'figures/common/style.gp'
file = csv('threads/blocks', machine)
largest(name) = real(system(sprintf("awk -v column=%s -v least=0 " . \
  "-f figures/common/extreme.awk %s", name, file)))
n = largest('multiprocessor') + 1
set xrange [0:largest('end_us') * 1.02]
set yrange [n - 0.5:-0.5]
set xlabel 'time in µs'
set ylabel 'multiprocessor'
set grid noytics
unset key
# The blocks' numbers from pale to dark; two share a multiprocessor.
shade(b, of) = faded_number(colour_1, 0.25 + 0.6 * b / of)
last = largest('block')
plot file using (column("start_us")):(column("multiprocessor")): \
  (column("start_us")):(column("end_us")):(column("multiprocessor") - 0.4): \
  (column("multiprocessor") + 0.4):(shade(column("block"), last)) \
  with boxxyerror fillstyle transparent solid 0.75 linecolor rgb variable
