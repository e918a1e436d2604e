# Two panels over one parameter, for words of 4, 8 and 16 bytes: bandwidth on
# top, sectors per request below.
#
# Set before `load`: sweep (the experiment in bench/coalescing/; its counts
# are <sweep>_counts), side ('load' or 'store'), column_x, label_x, low_x,
# high_x, step_x; and a logarithmic x axis where wanted.

sweep_counts = csv('coalescing/' . sweep . '_counts', 'software')
sweep_of(w) = sprintf('version=%s_%s_%d', side, \
  strstrt(sweep, 'offset') ? 'offset' : 'stride', w)
words_bytes = '4 8 16'
n_widths = 3
sectors(x) = column(side[1:2] eq 'lo' ? 'ld_sectors' : 'st_sectors') / \
  column(side[1:2] eq 'lo' ? 'ld_requests' : 'st_requests')

set xrange [low_x:high_x * 1.01]
set lmargin at screen 0.11; set rmargin at screen 0.80

# Names of the lines, at the last value of x and moved apart.
array last_bandwidth[3]
array last_sectors[3]
top_bandwidth = highest('coalescing/' . sweep, 'gb_per_s') * 1.12
stats sweep_counts using (sectors(0)) nooutput
top_sectors = STATS_max * 1.12
do for [i = 1:3] {
  w = int(word(words_bytes, i))
  at = sprintf('%s %s=%d', sweep_of(w), column_x, high_x)
  last_bandwidth[i] = real(cell(csv('coalescing/' . sweep, machine), at, \
    'gb_per_s')) / top_bandwidth
  last_sectors[i] = real(cell(sweep_counts, at, side[1:2] eq 'lo' ? \
    'ld_sectors' : 'st_sectors')) / real(cell(sweep_counts, at, \
    side[1:2] eq 'lo' ? 'ld_requests' : 'st_requests')) / top_sectors
}
places(a, b, c) = spread(sprintf('%.4f %.4f %.4f', a, b, c), 0.11)
unset key

set multiplot
set tmargin at screen 0.95; set bmargin at screen 0.56
set yrange [0:top_bandwidth]
set ylabel 'bandwidth in GB/s'
set xtics ()
do for [i = 0:high_x] {
  at = low_x > 0 ? 2 ** i : i * step_x   # logarithmic: each power of two
  if (at <= high_x) { set xtics add ('' at) }
}
ends = places(last_bandwidth[1], last_bandwidth[2], last_bandwidth[3])
do for [i = 1:3] {
  set label i sprintf('%s-byte words', word(words_bytes, i)) \
    at graph 1.02, graph real(word(ends, i)) left textcolor rgb colour(i)
}
plot for [m = 1:n_machines] for [i = 1:3] \
  rows(csv('coalescing/' . sweep, word(machines, m)), \
    sweep_of(int(word(words_bytes, i)))) \
  using (column(column_x)):(column("gb_per_s")) with linespoints linetype i \
  linewidth weight(m) dashtype dash(m) pointsize (low_x > 0 ? 0.3 : 0.5)

set tmargin at screen 0.51; set bmargin at screen 0.13
set yrange [0:top_sectors]
set ylabel 'sectors per request'
set xlabel label_x
set xtics ()
do for [i = 0:high_x] {
  at = low_x > 0 ? 2 ** i : i * step_x
  if (at <= high_x) { set xtics add (sprintf('%g', at) at) }
}
unset label 999
ends = places(last_sectors[1], last_sectors[2], last_sectors[3])
do for [i = 1:3] {
  set label i sprintf('%s-byte words', word(words_bytes, i)) \
    at graph 1.02, graph real(word(ends, i)) left textcolor rgb colour(i)
}
plot for [i = 1:3] rows(sweep_counts, sweep_of(int(word(words_bytes, i)))) \
  using (column(column_x)):(sectors(0)) with linespoints linetype i \
  pointsize (low_x > 0 ? 0.3 : 0.5)
unset multiplot
