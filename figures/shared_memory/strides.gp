# title: Cycles and wavefronts of a request against the stride
# data: bench/shared_memory/strides.reference.csv
# data: bench/shared_memory/strides_counts.software.csv
figure_height = 500
load 'figures/common/style.gp'
counts = csv('shared_memory/strides_counts', 'software')
widths = '4 8 16'

set xrange [0:33.5]
set lmargin at screen left_at(0.11); set rmargin at screen right_at(0.82)
unset key
set xtics 0, narrow ? 8 : 4
set logscale y 2
set yrange [0.9:45]
set ytics (1, 2, 4, 8, 16, 32)
set multiplot
set tmargin at screen 0.95; set bmargin at screen 0.54
set format x ''
set ylabel 'cycles per request'
do for [i = 1:3] {
  set label i sprintf('%s-byte words', word(widths, i)) at graph 1.02, \
    graph (0.05 + 0.18 * (i - 1)) left textcolor rgb colour(i)
}
plot for [m = 1:n_machines] for [i = 1:3] \
    rows(csv('shared_memory/strides', word(machines, m)), \
      'word_bytes=' . word(widths, i)) \
    using (column("stride_elems")):(column("request_cycles")) \
    with linespoints linetype i linewidth weight(m) dashtype dash(m)

set tmargin at screen 0.49; set bmargin at screen 0.11
set format x '%h'
set xlabel 'stride in words of that size'
set ylabel 'wavefronts per request'
unset label 999
plot for [i = 1:3] rows(counts, 'word_bytes=' . word(widths, i)) \
    using (column("stride_elems")):(column("shared_ld_wavefronts")) \
    with linespoints linetype i
unset multiplot
