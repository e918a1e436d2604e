# title: Bandwidth against the number of blocks, threads taking several elements
# data: bench/threads/stride.reference.csv
figure_height = 340
load 'figures/common/style.gp'
file = csv('threads/stride', machine)
set logscale x 2
set xrange [6:*]; set yrange [0:highest('threads/stride', 'gb_per_s') * 1.12]
set xtics ()
do for [e = 3:24:3] { set xtics add (power(2, e) 2 ** e) }
set xlabel 'blocks (logarithmic)'
set ylabel 'bandwidth in GB/s'
at_once = real(cell(file, 'version=one_each', 'blocks_at_once'))
set arrow 1 from at_once, graph 0 to at_once, graph 1 nohead \
  linecolor rgb colour_muted dashtype 2
set label 1 'all that fit at once' at at_once, graph (narrow ? 0.6 : 0.14) left offset 0.5, 0 \
  font small textcolor rgb colour_muted
key_narrow_lines = 3
load 'figures/common/key.gp'
kinds = 'grid_stride pieces one_each'
spoken = '"stride of the grid" "contiguous pieces" ' . \
  '"one thread per element"'
plot for [m = 1:n_machines] for [i = 1:3] rows(csv('threads/stride', \
  word(machines, m)), 'version=' . word(kinds, i)) using \
  (column("n_blocks")):(column("gb_per_s")) with linespoints linetype i \
  linewidth weight(m) dashtype dash(m) title m == 1 ? word(spoken, i) : ''
