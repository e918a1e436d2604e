# A roofline: kernels as points below the ceilings of the machine, both axes
# logarithmic. The script sets, before loading style.gp and this:
#
#   roofline  'flop': floating-point operations against operations per byte
#             'instructions': warp instructions against those per sector
#             'tensor': floating-point operations, of tensor cores too, against
#             operations per byte between L2 and the multiprocessors, for which
#             L2's slope is the roof
#   chosen    rows of the points, as for rows(); '' for all
#   named     1: each point has its version's name; 0: a key of the chapters
#   keyed     optional: 1: a key of the chapters besides the names
#   x_low … y_high  the axes
#   panel_left, panel_right, panel_bottom, panel_top, panel_x  optional: a part
#             of the figure, and what is below its axis
#   l2_at, memory_at  optional: where along the axis the names of the slopes are
#   only_named  optional: the versions whose names are shown
#
# Ceilings and points are drawn for every machine that has both.

load 'figures/common/roofline_machine.gp'
drawn_of(m) = rows(points_of(m), chosen)

# Lower ceilings are of units that some kernels use.
lower_names = tensors ? 'mma.sync FP32' : flops ? 'FP64' : ''
lower(m, i) = ceiling(m, tensors ? word('fp16_tensor fp32_fma', i) : \
  'fp64_fma', 'gflop_per_s') * (tensors ? 0.001 : 1)
n_lower = words(lower_names)
array peak_lower[n_machines * n_lower + 1]
# gnuplot looks at the first one even where there is none.
peak_lower[n_machines * n_lower + 1] = 0
owner(k) = 1 + (k - 1) / (n_lower > 0 ? n_lower : 1)   # the machine it is of
do for [m = 1:n_machines] {
  do for [i = 1:n_lower] { peak_lower[(m - 1) * n_lower + i] = lower(m, i) }
}

set format x '%g'; set format y '%g'
set xlabel tensors ? 'floating-point operations per byte between L2 and the SMs' : \
  flops ? 'floating-point operations per byte of a sector' : \
  'warp instructions per sector'
set ylabel tensors ? 'TFLOP/s' : flops ? 'GFLOP/s' : \
  'billion warp instructions per second' offset 1, 0
left = exists("panel_left") ? panel_left : left_at(flops ? 0.14 : 0.095)
right = exists("panel_right") ? panel_right : 0.965
bottom = exists("panel_bottom") ? panel_bottom : 56.0 / figure_height
top = exists("panel_top") ? panel_top : \
  1 - (24.0 + 18 * (n_machines - 1)) / figure_height
if (exists("panel_x")) { set xlabel panel_x; set ylabel '' }
set lmargin at screen left; set rmargin at screen right
set bmargin at screen bottom; set tmargin at screen top
width = (right - left) * figure_width
height = (top - bottom) * figure_height
decades(low, high) = log10(high / low)
angle = 180 / pi * atan2(height / decades(y_low, y_high), \
  width / decades(x_low, x_high))
set samples 500
set key off

# The ceilings' names, on the reference's: along the slopes, where they enter.
place(slope, along) = (y_low / slope > x_low ? y_low / slope : x_low) * \
  10 ** (along * decades(x_low, x_high))
if (!exists("l2_at")) { l2_at = 0.04 }
if (!exists("memory_at")) { memory_at = 0.04 }
do for [i = 1:(exists("panel_x") ? 0 : 2)] {
  slope = i == 1 ? slope_memory[1] : slope_l2[1]
  along = place(slope, i == 1 ? memory_at : l2_at)
  set label 900 + i word('memory L2', i) at along, along * slope left \
    rotate by angle offset 0, (i == 1 ? -0.7 : 0.6) \
    font tiny textcolor rgb colour_muted
}
set label 903 tensors ? 'wgmma' : flops ? 'FP32' : 'issue of instructions' \
  at x_high, peak[1] right offset -0.5, 0.6 font tiny textcolor rgb colour_muted
do for [i = 1:n_lower] {
  set label 903 + i word(lower_names, i) at x_high, peak_lower[i] right \
    offset -0.5, -0.7 font tiny textcolor rgb colour_muted
}

# One colour and shape for each chapter, in the order of the table.
names = '< ' . ask . 'names ' . asked_of(1, width, height) . ' ' . \
  (exists("only_named") ? only_named : '')
ink(i) = colour((i - 1) % 4 + 1)
shape(i, m) = int(word(m == 1 ? '7 9 5 13 11' : '6 8 4 12 10', (i - 1) % 5 + 1))
in_axes(x, low) = x >= low ? x : NaN
only(slug) = strcol('slug') eq slug
if (!exists("keyed")) { keyed = !named }
if (keyed) {
  load 'figures/common/key.gp'
}

plot for [m = 1:n_machines] roof(x, slope_memory[m], peak[m]) with lines \
    linecolor rgb (tensors ? colour_muted : colour_ink) \
    linewidth weight(m) / (tensors ? 2 : 1) dashtype dash(m) notitle, \
  for [m = 1:n_machines] roof(x, slope_l2[m], peak[m]) with lines \
    linecolor rgb (tensors ? colour_ink : colour_muted) \
    linewidth weight(m) / (tensors ? 1 : 2) dashtype dash(m) notitle, \
  for [k = 1:n_machines * n_lower] (x * (tensors ? slope_l2[owner(k)] : \
    slope_memory[owner(k)]) > peak_lower[k] ? peak_lower[k] : NaN) \
    with lines linecolor rgb colour_muted linewidth weight(owner(k)) / 2 \
    dashtype dash(owner(k)) notitle, \
  for [k = 1:named] names using \
    (column("from_x")):(column("from_y")):(column("by_x")):(column("by_y")) \
    with vectors nohead linecolor rgb colour_muted linewidth 0.6 notitle, \
  for [k = 1:named] names using \
    (column("label_x")):(column("label_y")):(strcol("version")) with labels \
    left font tiny textcolor rgb colour_ink notitle, \
  for [m = 1:n_machines] for [i = 1:words(slugs)] \
    (has(m, i) ? drawn_of(m) : drawn_of(1)) using \
    (only(word(slugs, i)) ? in_axes(column(x_name), x_low) : NaN): \
    (in_axes(column(y_name), y_low)) with points linecolor rgb ink(i) \
    pointtype shape(i, m) pointsize has(m, i) ? 0.6 : 0 \
    title !keyed || m > 1 ? '' : spaced(word(slugs, i))
