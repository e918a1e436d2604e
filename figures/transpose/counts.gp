# title: Sectors and wavefronts per request of every version
# data: bench/transpose/counts.software.csv
figure_height = narrow ? 680 : 400
load 'figures/common/style.gp'
load 'figures/common/bars.gp'
bars_side_by_side = 2
file = csv('transpose/counts', 'software')
versions = values(file, 'version')
n = words(versions)
per(a, b) = column(b) > 0 ? column(a) / column(b) : 0
panels = '"sectors per global request" "wavefronts per shared request"'
tops = '"ld_sectors st_sectors" "shared_ld_wavefronts shared_st_wavefronts"'
unders = '"ld_requests st_requests" "shared_ld_requests shared_st_requests"'
top(k, i) = word(word(tops, k), i)
under(k, i) = word(word(unders, k), i)

set yrange [n - 0.4:-0.6]
set xrange [0:37]
set xtics 8
set key at screen 0.99, screen 0.985 right top horizontal Right noreverse \
  samplen 1
unset label 999
set multiplot
do for [k = 1:2] {
  set lmargin at screen narrow ? 0.36 : k == 1 ? 0.24 : 0.64
  set rmargin at screen narrow || k == 2 ? 0.99 : 0.60
  set tmargin at screen narrow ? (k == 1 ? 0.95 : 0.44) : 0.86
  set bmargin at screen narrow ? (k == 1 ? 0.57 : 0.07) : 0.14
  set xlabel word(panels, k)
  unset ytics
  if (narrow || k == 1) {
    set ytics () scale 0 textcolor rgb colour_ink
    do for [i = 1:n] { set ytics add (spaced(word(versions, i)) i - 1) }
  }
  if (k == 2) { unset key }
  plot for [i = 1:2] file using (0):(column(0)):(0): \
      (per(top(k, i), under(k, i))): \
      (bar_low(column(0), i)):(bar_high(column(0), i)) with boxxyerror \
      linecolor rgb bar_colour(i) title word('loads stores', i), \
    for [i = 1:2] file using (per(top(k, i), under(k, i))): \
      (bar_middle(column(0), i)):(column(under(k, i)) > 0 ? \
      sprintf('%.4g', per(top(k, i), under(k, i))) : 'none') \
      with labels left offset 0.5, 0 font tiny textcolor rgb \
      (i == 1 ? colour_ink : colour_muted)
}
unset multiplot
