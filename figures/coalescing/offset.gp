# title: What an offset costs loads and stores, in bandwidth and in sectors
# data: bench/coalescing/offset.reference.csv
# data: bench/coalescing/store_offset.reference.csv
# data: bench/coalescing/offset_counts.software.csv
figure_height = narrow ? 690 : 440
load 'figures/common/style.gp'
words_bytes = '4 8 16'
sides = 'load store'
sweeps = 'offset store_offset'
heads = '"loads, % of the best" "stores, % of the best"'
of(s, w) = sprintf('version=%s_offset_%s', word(sides, s), word(words_bytes, w))
# The best bandwidth of each line, before there are ranges to leave it out.
do for [s = 1:2] { do for [m = 1:n_machines] { do for [w = 1:3] {
  stats rows(csv('coalescing/' . word(sweeps, s), word(machines, m)), \
    of(s, w)) using (column("gb_per_s")) nooutput
  eval sprintf('best_%d_%d_%d = STATS_max', s, m, w)
} } }
best(s, m, w) = value(sprintf('best_%d_%d_%d', s, m, w))
key_corner = 1
key_narrow_lines = 1
load 'figures/common/key.gp'
set xrange [0:32.3]
set multiplot
do for [k = 1:2] {
  s = 3 - k    # the stores first: the GPU's name is above them, on the right
  set lmargin at screen left_at(narrow || s == 1 ? 0.09 : 0.57)
  set rmargin at screen narrow || s == 2 ? right_at(0.98) : 0.49
  above = key_height + 16.0
  height = 150.0
  start = above + (narrow && s == 2 ? height + 62 : 0)
  set tmargin at screen 1 - start / figure_height
  set bmargin at screen 1 - (start + height) / figure_height
  set yrange [90:101.5]
  set ytics 90, 5
  set xtics 0, 8
  set label 20 word(heads, s) at graph 0, graph 1.07 left
  plot for [m = 1:n_machines] for [w = 1:3] \
    rows(csv('coalescing/' . word(sweeps, s), word(machines, m)), of(s, w)) \
    using (column("offset_elems")):(100.0 * column("gb_per_s") / \
    best(s, m, w)) with linespoints linetype w pointsize 0.5 \
    linewidth weight(m) dashtype dash(m) \
    title k == 1 && m == 1 ? word(words_bytes, w) . '-byte words' : ''
  unset label 999
  unset key
}
unset label 20
set lmargin at screen left_at(0.09); set rmargin at screen right_at(0.98)
set bmargin at screen 45.0 / figure_height
set tmargin at screen (narrow ? 195.0 : 165.0) / figure_height
set yrange [0:18]
set ytics 0, 4
set xtics 0, 4
set xlabel 'offset in words'
set label 20 'sectors of a request' at graph 0, graph 1.1 left
counts = csv('coalescing/offset_counts', 'software')
plot for [w = 1:3] rows(counts, of(1, w)) using (column("offset_elems")): \
  (column("ld_sectors") / column("ld_requests")) with linespoints \
  linetype w pointsize 0.5
unset multiplot
