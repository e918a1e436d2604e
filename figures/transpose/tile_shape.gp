# title: Bandwidth of the transpose against height and width of its tile
# data: bench/transpose/tile_shape.reference.csv
figure_height = 360
load 'figures/common/style.gp'
file = csv('transpose/tile_shape', machine)
widths = values(file, 'tile_cols')
n = words(widths)
ink(i) = i < 5 ? colour(i) : colour_ink
mark(i) = i < 5 ? point(i) : 4

set logscale x 2
set xrange [14.5:280]
# The lines lie close together: the axis does not begin at 0, and says so.
low = 500 * floor(lowest('transpose/tile_shape', 'gb_per_s') / 500)
set yrange [low:highest('transpose/tile_shape', 'gb_per_s') * 1.02]
set xtics ()
do for [e = 4:8] { set xtics add (sprintf('%d', 2 ** e) 2 ** e) }
set xlabel 'height of the tile in elements (logarithmic)'
set ylabel sprintf('bandwidth in GB/s (from %.0f)', low)
set tmargin 1.8
unset key
# Names at each line's last point.
high = highest('transpose/tile_shape', 'gb_per_s') * 1.02
set rmargin at screen right_at(0.86)
ends = ''
do for [i = 1:n] {
  heights = values_where(file, 'tile_cols=' . word(widths, i), 'tile_rows')
  ends = ends . sprintf(' %.4f', fraction(real(cell(file, \
    sprintf('tile_cols=%s tile_rows=%s', word(widths, i), \
    word(heights, words(heights))), 'gb_per_s')), low, high))
}
ends = spread(ends, 0.075)
do for [i = 1:n] {
  set label i word(widths, i) . ' wide' at graph 1.02, \
    graph real(word(ends, i)) left textcolor rgb ink(i)
}
plot for [m = 1:n_machines] for [i = n:1:-1] \
  rows(csv('transpose/tile_shape', word(machines, m)), \
    'tile_cols=' . word(widths, i)) \
  using (column("tile_rows")):(column("gb_per_s")) with linespoints \
  linecolor rgb ink(i) linewidth weight(m) dashtype dash(m) \
  pointtype mark(i) pointsize 0.7
