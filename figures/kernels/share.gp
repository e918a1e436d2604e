# title: Share of each step in the GPU's whole time for vector addition
# data: bench/kernels/size.h200.csv
figure_height = 330
load 'figures/common/style.gp'
file = csv('kernels/size', machine)

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

first_n = extreme(file, 'n_elems', 1)
last_n = extreme(file, 'n_elems', 0)
half(n, up) = up ? n * sqrt(2) * 0.97 : n / sqrt(2) * 1.03
set logscale x 2
set xrange [half(first_n, 0):half(last_n, 1)]; set yrange [0:100]
set xtics ()
do for [e = 0:40:4] { set xtics add (power(2, e) 2.0 ** e) }
set ytics 20
set grid noxtics
set style fill solid 1 noborder
unset key
set multiplot
do for [k = 1:2] {
  set lmargin at screen k == 1 ? 0.09 : 0.55
  set rmargin at screen k == 1 ? 0.53 : 0.99
  set bmargin at screen 0.18; set tmargin at screen 0.78
  set label 1 word(heads, k) at graph 0, graph 1.05 left
  set xlabel 'elements in each vector (logarithmic)'
  if (k == 1) {
    set ylabel 'share of the whole time in %'
    unset label 999
    do for [i = 1:4] {
      set object i rectangle from screen 0.09 + 0.19 * (i - 1), screen 0.93 \
        rto screen 0.025, screen 0.035 fillstyle solid 1 noborder \
        fillcolor rgb ink(i)
      set label 10 + i word(names, i) at screen 0.12 + 0.19 * (i - 1), \
        screen 0.947 left
    }
  } else {
    unset object; unset ylabel
    set format y ''
    do for [i = 1:4] { unset label 10 + i }
    set label 999 gpu(1) at graph 1, graph 1.05 right font small \
      textcolor rgb colour_muted
  }
  plot for [i = 1:4] file using (column("n_elems")):(edge(k, i)): \
    (half(column("n_elems"), 0)):(half(column("n_elems"), 1)): \
    (edge(k, i - 1)):(edge(k, i)) with boxxyerror linecolor rgb ink(i)
}
unset multiplot
