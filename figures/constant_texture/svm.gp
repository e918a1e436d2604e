# title: Lines a microsecond of every version of the classifier
# data: bench/constant_texture/svm.reference.csv
n_drawn = exists("machines") ? words(machines) : 1
figure_height = n_drawn < 2 ? 320 : 150 + 115 * n_drawn
load 'figures/common/style.gp'
load 'figures/common/bars.gp'
file = csv('constant_texture/svm', machine)
versions = 'naive constant constant_reordered reordered_only registers ' . \
  'registers_global'
n = words(versions)
chosen(m) = rows(csv('constant_texture/svm', word(machines, m)), \
  'version=naive|constant|constant_reordered|reordered_only|registers|' . \
  'registers_global')
set yrange [n - 0.4:-0.75]
set ytics ()
do for [i = 1:n] { set ytics add (spaced(word(versions, i)) i - 1) }
set xrange [0:highest('constant_texture/svm', 'lines_per_us') * 1.12]
set xlabel 'lines per microsecond'
if (narrow) { set xtics tic_step( \
  highest('constant_texture/svm', 'lines_per_us'), 4) }
if (n_machines > 1) { set key at screen 0.985, screen 0.985 right top \
  maxcols 1 samplen 1; unset label 999
  set tmargin at screen 1 - (24 + 22.0 * n_machines) / figure_height }
plot for [m = 1:n_machines] chosen(m) \
    using (0):(column(0)):(0):(column("lines_per_us")): \
    (bar_low(column(0), m)):(bar_high(column(0), m)) with boxxyerror \
    linecolor rgb bar_colour(m) title n_machines > 1 ? gpu(m) : '', \
  for [m = 1:n_machines] chosen(m) \
    using (column("lines_per_us")):(bar_middle(column(0), m)): \
    (sprintf('%.0f', column("lines_per_us"))) with labels left \
    offset 0.5, 0 font tiny textcolor rgb colour_ink notitle
