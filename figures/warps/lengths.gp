# title: Steps of warps and time for loops of unequal length
# data: bench/warps/lengths.reference.csv
figure_height = 330
load 'figures/common/style.gp'
load 'figures/common/bars.gp'
bars_side_by_side = 2
file = csv('warps/lengths', machine)
versions = values(file, 'version')
n = words(versions)
base_steps = real(cell(file, 'version=equal', 'warp_steps'))
base_time = real(cell(file, 'version=equal', 'time_us'))
steps(x) = column("warp_steps") / base_steps
times(x) = column("time_us") / base_time
top = 1.12 * (highest('warps/lengths', 'warp_steps') / base_steps > \
  highest('warps/lengths', 'time_us') / base_time ? \
  highest('warps/lengths', 'warp_steps') / base_steps : \
  highest('warps/lengths', 'time_us') / base_time)

set yrange [n - 0.4:-0.75]
set ytics ()
do for [i = 1:n] { set ytics add (spaced(word(versions, i)) i - 1) }
set xrange [0:top]
set xlabel 'relative to equal lengths'
set key at screen 0.985, screen 0.985 right top horizontal Right noreverse
if (narrow) { set label 999 at screen 0.02, graph 1 left } else {
  set label 999 at graph 0, graph 1 left
}
plot file using (0):(column(0)):(0):(steps(0)): \
    (bar_low(column(0), 1)):(bar_high(column(0), 1)) with boxxyerror \
    linecolor rgb role_software title 'steps', \
  file using (0):(column(0)):(0):(times(0)): \
    (bar_low(column(0), 2)):(bar_high(column(0), 2)) with boxxyerror \
    linecolor rgb role_gpu title 'time', \
  file using (steps(0)):(bar_middle(column(0), 1)): \
    (sprintf('%.2f', steps(0))) with labels left offset 0.5, 0 font tiny \
    textcolor rgb colour_ink notitle, \
  file using (times(0)):(bar_middle(column(0), 2)): \
    (sprintf('%.2f', times(0))) with labels left offset 0.5, 0 font tiny \
    textcolor rgb colour_ink notitle
