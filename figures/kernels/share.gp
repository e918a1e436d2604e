# title: Share of each step in the GPU's whole time for vector addition
# data: bench/kernels/size.h200.csv
figure_height = 70 + (exists("machines") ? words(machines) : 1) * 275 - 15
load 'figures/common/style.gp'

# One panel for each kind of host memory: the steps stacked to 100 %.
kinds = '"" "pinned_"'
heads = '"pageable host memory" "pinned host memory"'
names = '"allocate, free" "copy in" "kernel" "copy out"'
part(k, name) = column(word(kinds, k) . name) / column(word(kinds, k) . \
  'total_us') * 100
# Upper edge of the first i steps.
edge(k, i) = (i >= 1 ? part(k, 'alloc_us') : 0) + \
  (i >= 2 ? part(k, 'copy_in_us') : 0) + \
  (i >= 3 ? part(k, 'launch_us') : 0) + \
  (i >= 4 ? part(k, 'copy_out_us') : 0)
ink(i) = i == 1 ? faded(colour_muted, 0.45) : i == 2 ? faded(colour_1, 0.9) : \
  i == 3 ? faded(colour_2, 0.9) : faded(colour_3, 0.9)

first_n = lowest('kernels/size', 'n_elems')
last_n = highest('kernels/size', 'n_elems')
half(n, up) = up ? n * sqrt(2) * 0.97 : n / sqrt(2) * 1.03
set logscale x 2
set xrange [half(first_n, 0):half(last_n, 1)]; set yrange [0:100]
set xtics ()
do for [e = 0:40:4] { set xtics add (power(2, e) 2.0 ** e) }
set ytics 20
set grid noxtics
set style fill solid 1 noborder
unset key
# A row of panels for each machine, below the key.
panel_top(m) = 1 - (70 + 275.0 * (m - 1)) / figure_height
panel_bottom(m) = panel_top(m) - 200.0 / figure_height
key_y(d) = 1 - (10.0 + d) / figure_height
do for [i = 1:4] {
  set object i rectangle from screen 0.09 + 0.19 * (i - 1), \
    screen key_y(13) rto screen 0.025, screen 11.0 / figure_height \
    fillstyle solid 1 noborder fillcolor rgb ink(i)
  set label 10 + i word(names, i) at screen 0.12 + 0.19 * (i - 1), \
    screen key_y(7.5) left
}
unset label 999
set multiplot
do for [m = 1:n_machines] {
  file = csv('kernels/size', word(machines, m))
  set bmargin at screen panel_bottom(m); set tmargin at screen panel_top(m)
  if (m == n_machines) {
    set xlabel 'elements in each vector (logarithmic)'
  }
  do for [k = 1:2] {
    set lmargin at screen k == 1 ? 0.09 : 0.55
    set rmargin at screen k == 1 ? 0.53 : 0.99
    set label 1 word(heads, k) at graph 0, graph 1.05 left
    if (k == 1) {
      set ylabel 'share of the whole time in %'
      set format y '%h'
    } else {
      unset ylabel
      set format y ''
      set label 2 gpu(m) at graph 1, \
        graph (n_machines == 1 ? 1.05 : 1.14) right font small \
        textcolor rgb colour_muted
    }
    plot for [i = 1:4] file using (column("n_elems")):(edge(k, i)): \
      (half(column("n_elems"), 0)):(half(column("n_elems"), 1)): \
      (edge(k, i - 1)):(edge(k, i)) with boxxyerror linecolor rgb ink(i)
    unset label 2
    do for [i = 1:4] { unset label 10 + i; unset object i }
  }
}
unset multiplot
