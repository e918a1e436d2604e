# What the rooflines share: the ceilings of each machine in the units of the axes,
# and the chapters whose points there are. `roofline`, `chosen` and the axes are
# set before.

flops = roofline eq 'flop'
tensors = roofline eq 'tensor'
x_name = tensors ? 'flop_per_sm_byte' : flops ? 'flop_per_byte' : \
  'instructions_per_sector'
y_name = tensors ? 'tflop_per_s' : flops ? 'gflop_per_s' : 'gips'
points_of(m) = csv(tensors ? 'roofline/levels' : 'roofline/points', \
  word(machines, m))
ceiling(m, version, unit) = real(cell(csv('roofline/ceilings', \
  word(machines, m)), 'version=' . version, unit))

# A sector is 32 bytes, an FP32 fused multiply-add of a warp is 64 operations.
per_x = tensors ? 0.001 : flops ? 1.0 : 1.0 / 32
wgmma(m) = real(cell(csv('tensor_cores/ceiling', word(machines, m)), \
  'version=n256 inputs=random', 'tflop_per_s'))
array slope_memory[n_machines]; array slope_l2[n_machines]
array peak[n_machines]
do for [m = 1:n_machines] {
  slope_memory[m] = per_x * ceiling(m, 'memory_copy', 'gb_per_s')
  slope_l2[m] = per_x * ceiling(m, 'l2_read', 'gb_per_s')
  peak[m] = tensors ? wgmma(m) : \
    ceiling(m, 'fp32_fma', 'gflop_per_s') / (flops ? 1 : 64.0)
}
roof(x, slope, top) = x * slope < top ? x * slope : top

# What labels.lua is asked about the points of a machine; the panel's size only
# matters to names.
asked_of(m, width, height) = sprintf("%s '%s' %s %g %g %g %s %g %g %g", \
  points_of(m), chosen, x_name, x_low, x_high, width, y_name, y_low, y_high, \
  height)
slugs_of(m) = system(ask . 'slugs ' . asked_of(m, 1, 1))
slugs = slugs_of(1)
has(m, i) = strstrt(' ' . slugs_of(m) . ' ', ' ' . word(slugs, i) . ' ') > 0

set logscale xy
set xrange [x_low:x_high]; set yrange [y_low:y_high]
