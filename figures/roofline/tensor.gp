# title: Kernels for tensor cores, below the ceilings of L2 and of each unit
# data: bench/roofline/levels.reference.csv
# data: bench/roofline/ceilings.reference.csv
# data: bench/tensor_cores/ceiling.reference.csv
figure_height = narrow ? 420 : 460
load 'figures/common/style.gp'

roofline = 'tensor'; chosen = ''; named = 1; keyed = 1
only_named = 'wmma mma_plain mma wgmma specialised held ' . \
  'unfused fused tensor twice once'
# Right of its point, this name would lie on L2's slope.
fastest = csv('roofline/levels', machine)
set label 950 'fastest' at \
  real(cell(fastest, 'version=fastest', 'flop_per_sm_byte')), \
  real(cell(fastest, 'version=fastest', 'tflop_per_s')) right \
  offset -0.9, 0.5 font tiny
x_low = 3; x_high = 300; y_low = 10; y_high = 2000
load 'figures/common/roofline.gp'
