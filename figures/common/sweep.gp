# Two panels over a stride, for words of 4, 8 and 16 bytes: bandwidth on top,
# sectors per request below. All axes are logarithmic, because halves and doubles
# are what one looks for.
#
# Set before `load`: sweep (the experiment in bench/coalescing/; its counts
# are <sweep>_counts), side ('load' or 'store'), column_x, label_x, low_x and
# high_x.

sweep_counts = csv('coalescing/' . sweep . '_counts', 'software')
sweep_of(w) = sprintf('version=%s_stride_%d', side, w)
words_bytes = '4 8 16'
n_widths = 3
counts_side = side eq 'load' ? 'ld' : 'st'
sectors(d) = column(counts_side . '_sectors') / \
  column(counts_side . '_requests')

set xrange [low_x:high_x * 1.01]
set lmargin at screen left_at(0.11); set rmargin at screen right_at(0.80)

# Points on the lines; where they would touch, at powers of two only.
whole(x) = abs(x - floor(x + 0.5)) < 1e-9
marked(x) = whole(log(x) / log(2)) ? x : NaN

# Ranges of the heights; names are at the last value of x.
set logscale x 2
bottom_bandwidth = lowest('coalescing/' . sweep, 'gb_per_s') / 1.3
top_bandwidth = highest('coalescing/' . sweep, 'gb_per_s') * 1.4
stats sweep_counts using (sectors(0)) nooutput
bottom_sectors = STATS_min / 1.4
top_sectors = STATS_max * 1.4
sweep_at(w) = sprintf('%s %s=%d', sweep_of(w), column_x, high_x)
ends_n = n_widths; ends_log = 1; ends_gap = 0.11
ends_name(i) = sprintf('%s-byte words', word(words_bytes, i))
ends_ink(i) = colour(i)

set multiplot
set tmargin at screen 0.95; set bmargin at screen 0.56
set yrange [bottom_bandwidth:top_bandwidth]
set logscale y 2
set ytics ()
do for [i = 0:20] {
  set ytics add (sprintf('%d', 125 * 2 ** i) 125 * 2.0 ** i)
}
set ylabel 'bandwidth in GB/s'
set xtics ()
do for [i = 0:high_x] {
  if (2 ** i <= high_x) { set xtics add ('' 2 ** i) }
}
ends_low = bottom_bandwidth; ends_high = top_bandwidth
ends_y(i) = real(cell(csv('coalescing/' . sweep, machine), \
  sweep_at(int(word(words_bytes, i))), 'gb_per_s'))
load 'figures/common/ends.gp'
plot for [m = 1:n_machines] for [i = 1:3] \
    rows(csv('coalescing/' . sweep, word(machines, m)), \
      sweep_of(int(word(words_bytes, i)))) \
    using (column(column_x)):(column("gb_per_s")) with lines linetype i \
    linewidth weight(m) dashtype dash(m), \
  for [m = 1:n_machines] for [i = 1:3] \
    rows(csv('coalescing/' . sweep, word(machines, m)), \
      sweep_of(int(word(words_bytes, i)))) \
    using (marked(column(column_x))):(column("gb_per_s")) with points \
    linetype i pointsize 0.6

set tmargin at screen 0.51; set bmargin at screen 0.13
set yrange [bottom_sectors:top_sectors]
set ytics ()
do for [i = 0:5] { set ytics add (sprintf('%d', 2 ** i) 2 ** i) }
set ylabel 'sectors per request'
set xlabel label_x
set xtics ()
do for [i = 0:high_x] {
  if (2 ** i <= high_x) { set xtics add (sprintf('%g', 2 ** i) 2 ** i) }
}
unset label 999
sweep_count(i, what) = real(cell(sweep_counts, \
  sweep_at(int(word(words_bytes, i))), counts_side . what))
ends_low = bottom_sectors; ends_high = top_sectors
ends_y(i) = sweep_count(i, '_sectors') / sweep_count(i, '_requests')
load 'figures/common/ends.gp'
plot for [i = 1:3] rows(sweep_counts, sweep_of(int(word(words_bytes, i)))) \
    using (column(column_x)):(sectors(0)) with lines linetype i, \
  for [i = 1:3] rows(sweep_counts, sweep_of(int(word(words_bytes, i)))) \
    using (marked(column(column_x))):(sectors(0)) with points linetype i \
    pointsize 0.6
unset multiplot
