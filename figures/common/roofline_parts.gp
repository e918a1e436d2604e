# A roofline of many kernels: a small panel for each chapter, with the ceilings
# and that chapter's points; all panels have the same two logarithmic axes. The
# script sets what roofline.gp asks for, except named and
# l2_at.

load 'figures/common/roofline_machine.gp'
n = words(slugs)
across = narrow ? 3 : 5
down = (n + across - 1) / across

set tics font tiny
set samples 60
unset key
unset label 999
left = 52.0 / figure_width; right = 1 - 6.0 / figure_width
top = 1 - 40.0 / figure_height; bottom = 44.0 / figure_height
wide = (right - left) / across; high = (top - bottom) / down
set multiplot
do for [i = 1:n] {
  c = (i - 1) % across; r = (i - 1) / across
  set lmargin at screen left + c * wide
  set rmargin at screen left + (c + 1) * wide - 8.0 / figure_width
  set tmargin at screen top - r * high
  set bmargin at screen top - (r + 1) * high + 22.0 / figure_height
  # The outer panels have the axes' names.
  last_one = i + across > n
  set xtics ()
  do for [e = -2:3:(narrow || flops ? 2 : 1)] {
    if (10.0 ** e >= x_low && 10.0 ** e <= x_high) {
      set xtics add ((last_one ? sprintf('%g', 10.0 ** e) : '') 10.0 ** e)
    }
  }
  set ytics ()
  do for [e = -1:6] {
    if (10.0 ** e >= y_low && 10.0 ** e <= y_high) {
      set ytics add ((c > 0 ? '' : e < 4 ? sprintf('%g', 10.0 ** e) : \
        power(10, e)) 10.0 ** e)
    }
  }
  set label 1 spaced(word(slugs, i)) at graph 0.02, graph 1 left \
    offset 0, 0.6 font small
  if (i == 1) {
    set label 2 (flops ? 'GFLOP/s' : 'billion warp instructions per second') \
      at screen 4.0 / figure_width, screen 1 - 10.0 / figure_height left \
      font small textcolor rgb colour_muted
    set label 3 (flops ? 'operations per byte of a sector' : \
      'warp instructions per sector') at screen 0.5, \
      screen 9.0 / figure_height center font small textcolor rgb colour_muted
    set label 4 corner at screen 1 - 6.0 / figure_width, \
      screen 1 - 10.0 / figure_height right font tiny \
      textcolor rgb colour_muted
  } else {
    unset label 2; unset label 3; unset label 4
  }
  plot for [m = 1:n_machines] roof(x, slope_memory[m], peak[m]) with lines \
      linecolor rgb role_ceiling linewidth weight(m) * 0.6 dashtype dash(m), \
    for [m = 1:n_machines] roof(x, slope_l2[m], peak[m]) with lines \
      linecolor rgb colour_grid linewidth weight(m) * 0.6 dashtype dash(m), \
    for [m = 1:n_machines] (has(m, i) ? rows(points_of(m), \
      'slug=' . word(slugs, i)) : points_of(1)) using \
      (has(m, i) && column(x_name) >= x_low ? column(x_name) : NaN): \
      (column(y_name)) with points linecolor rgb colour(m) \
      pointtype point(m) pointsize 0.45
}
unset multiplot
