# title: Attention forward, 16 heads of 128 columns and 16 384 rows: TFLOP/s
# data: bench/attention/ladder.reference.csv
# data: bench/attention/hopper_ladder.reference.csv
# data: bench/attention/library.reference.csv
figure_height = 445
load 'figures/common/style.gp'
load 'figures/common/bars.gp'
bars_side_by_side = 2
own = csv('attention/ladder', machine)
hopper = csv('attention/hopper_ladder', machine)
library = csv('attention/library', machine)
names = 'unfused fused tensor warpgroups overlap held turns matmuls flash_2 cudnn'
n = words(names)
file(i) = i <= 3 ? own : i <= 7 ? hopper : library
rate(i, causal) = real(cell(file(i), 'version=' . word(names, i) . \
  ' causal=' . causal, 'tflop_per_s'))
shown(i) = i == 8 ? 'PyTorch, unfused' : i == 9 ? 'FlashAttention-2' : \
  i == 10 ? 'cuDNN' : word(names, i)
set yrange [n + 0.1:-0.9]
set ytics ()
place(i) = i - 1 + (i > 7 ? 0.5 : 0)
do for [i = 1:n] { set ytics add (shown(i) place(i)) }
set xrange [0:820]
set xtics 200
set xlabel 'TFLOP/s'
set lmargin at screen left_at(0.24); set rmargin at screen right_at(0.97)
load 'figures/common/key.gp'
set print $bars
print 'place,not causal,causal'
do for [i = 1:n] {
  print sprintf('%g,%g,%g', place(i), rate(i, 0), rate(i, 1))
  do for [c = 0:1] {
    set label 10 * i + c sprintf('%.0f', rate(i, c)) at rate(i, c), \
      bar_middle(place(i), c + 1) left offset 0.5, 0 font tiny
  }
}
set print
plot for [c = 0:1] $bars using (0):1:(0):(column(c + 2)): \
  (bar_low($1, c + 1)):(bar_high($1, c + 1)): \
  (faded_number($1 > 6.9 ? role_vendor : role_gpu, c ? 0.45 : 1)) with boxxyerror \
  linecolor rgb variable notitle, \
  keyentry with boxes linecolor rgb role_gpu title 'not causal', \
  keyentry with boxes linecolor rgb faded(role_gpu, 0.45) title 'causal', \
  keyentry with boxes linecolor rgb role_vendor title 'libraries'
