# title: When the CPU fills a buffer and when the copy engine empties it
# data: bench/transfers/timeline.reference.csv
figure_height = 330
load 'figures/common/style.gp'
file = csv('transfers/timeline', machine)
longest = extreme(file, 'end_us', 0)
set xrange [0:longest * 1.01]; set yrange [-0.75:0.95]
set lmargin at screen left_at(0.16); set rmargin at screen right_at(0.985)
set ytics ('CPU fills' 0.42, 'engine copies' -0.4) scale 0 font small
set grid xtics noytics
unset key
line_y(what) = what eq 'fill' ? 0.42 : -0.4
ink(what, piece) = faded_number(what eq 'fill' ? role_cpu : role_gpu, \
  int(piece) % 2 ? 0.55 : 1)
set multiplot
do for [k = 1:2] {
  name = word('one_buffer two_buffers', k)
  set tmargin at screen k == 1 ? 0.91 : 0.49
  set bmargin at screen k == 1 ? 0.61 : 0.19
  if (k == 1) { set format x '' }
  if (k == 2) { unset label 999; set format x '%g'; set xlabel 'time in µs' }
  set label 1 word('"One buffer" "Two buffers"', k) at graph 0, graph 1 \
    left offset 0, 0.7
  plot rows(file, 'version=' . name) using \
      ((column("begin_us") + column("end_us")) / 2): \
      (line_y(stringcolumn("what"))):(column("begin_us")):(column("end_us")): \
      (line_y(stringcolumn("what")) - 0.22): \
      (line_y(stringcolumn("what")) + 0.22): \
      (ink(stringcolumn("what"), column("piece"))) with boxxyerror \
      fillstyle solid 1 linecolor rgb variable, \
    rows(file, 'version=' . name) using \
      ((column("begin_us") + column("end_us")) / 2): \
      (line_y(stringcolumn("what")) + 0.34): \
      (sprintf('%d', column("piece") + 1)) with labels center font tiny \
      textcolor rgb colour_ink
}
unset multiplot
