# title: What a step costs, by the way from one step to the next
# data: bench/streams/steps.reference.csv
n_drawn = exists("machines") ? words(machines) : 1
figure_height = n_drawn < 2 ? 380 : 160 + 160 * n_drawn
load 'figures/common/style.gp'
load 'figures/common/bars.gp'
names = '"the host waits" "host function" "two streams" "stream" "stream, early start" "graph" "graph, two streams" "graph, early start" "grid.sync()" "own barrier" "one block"'
n = words(values(csv('streams/steps', machine), 'version'))
low = 0.1; top = highest('streams/steps', 'time_us') * 3
set logscale x 10
set xrange [low:top]
set yrange [n - 0.4:-0.75]
set ytics ()
do for [i = 1:n] { set ytics add (word(names, i) i - 1) }
set xlabel 'µs per step (logarithmic)'
set label 999 at graph 0, graph 1 left
unset key
if (n_machines > 1) { set key at screen 0.86, screen 0.985 right top \
  maxcols 1 samplen 1; unset label 999
  set tmargin at screen 1 - (24 + 22.0 * n_machines) / figure_height }
plot for [m = 1:n_machines] csv('streams/steps', word(machines, m)) \
    using (low):(column(0)):(low):(column("time_us")): \
    (bar_low(column(0), m)):(bar_high(column(0), m)) with boxxyerror \
    linecolor rgb bar_colour(m) \
    title n_machines > 1 ? gpu(m) : '', \
  for [m = 1:n_machines] csv('streams/steps', word(machines, m)) \
    using (column("time_us")):(bar_middle(column(0), m)): \
    (sprintf('%.2f', column("time_us"))) \
    with labels left offset 0.7, 0 font (n_machines > 1 ? tiny : small) \
    textcolor rgb colour_ink
