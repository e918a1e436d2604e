# title: Speed of the matrix product by tile, threads and elements per thread
# data: bench/matmul/configurations.reference.csv
figure_height = 440
load 'figures/common/style.gp'
file = csv('matmul/configurations', machine)

# A cell for each configuration: the elements of a thread from left to right, the
# threads of a block from top to bottom, a group of rows for each width of tile.
tiles = values(file, 'tile')
most = highest('matmul/configurations', 'gflop_per_s')
array threads_of[words(tiles)]
do for [t = 1:words(tiles)] {
  threads_of[t] = system("printf '%s\n' " . values_where(file, \
    'tile=' . word(tiles, t), 'block_threads') . ' | sort -n')
}
threads(t) = threads_of[t]
array first_row[words(tiles) + 1]
first_row[1] = 0
do for [t = 1:words(tiles)] {
  first_row[t + 1] = first_row[t] + words(threads(t)) + 1.1
}
row(tile, n) = sum [t = 1:words(tiles)] (int(word(tiles, t)) != tile ? 0 : \
  first_row[t] + (sum [k = 1:words(threads(t))] \
  (int(word(threads(t), k)) < n ? 1 : 0)))
shade(v) = faded_number(colour_1, 0.06 + 0.6 * v / most)

unset key; unset grid; unset border
set lmargin at screen left_at(0.20); set rmargin at screen right_at(0.99)
set tmargin at screen 1 - 48.0 / figure_height
set bmargin at screen 6.0 / figure_height
set xrange [-0.5:5.5]
set yrange [first_row[words(tiles) + 1] - 1.4:-0.9]
set x2tics ('1' 0, '2' 1, '4' 2, '8' 3, '16' 4, '32' 5) scale 0 offset 0, -0.6
unset xtics
unset ytics
set label 999 at screen 0.99, screen 1 - 12.0 / figure_height right offset 0, 0
set label 1 (narrow ? 'TFLOP/s, by elements per thread' : \
  'speed in TFLOP/s; from left to right, elements per thread') at graph 0, \
  screen 1 - 12.0 / figure_height left font small textcolor rgb colour_muted
n_labels = 100
do for [t = 1:words(tiles)] {
  set label 10 + t word(tiles, t) . ' wide' at screen 0.01, \
    first first_row[t] - 0.72 left
  do for [k = 1:words(threads(t))] {
    set label n_labels word(threads(t), k) . \
      (t == 1 && k == 1 ? ' threads' : '') at graph 0, \
      first first_row[t] + k - 1 right offset -0.8, 0 font small \
      textcolor rgb colour_muted
    n_labels = n_labels + 1
  }
}
column_of(each) = log(each) / log(2)
plot file using (column_of(column("each"))): \
    (row(int(column("tile")), int(column("block_threads")))):(0.47):(0.45): \
    (shade(column("gflop_per_s"))) with boxxyerror fillstyle solid 1 \
    linecolor rgb variable, \
  file using (column_of(column("each"))): \
    (row(int(column("tile")), int(column("block_threads")))): \
    (sprintf('%.1f', 1e-3 * column("gflop_per_s"))) with labels font small \
    textcolor rgb colour_ink
