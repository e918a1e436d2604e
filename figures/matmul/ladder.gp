# title: Speed of every version of the matrix product, and of cuBLAS
# data: bench/matmul/ladder.reference.csv
ladder_of = 'matmul/ladder'
ladder_y = 'gflop_per_s'; ladder_scale = 1e-3; ladder_digits = 1
ladder_unit = 'TFLOP/s'; ladder_best = 'cublas'; ladder_share = 'of cuBLAS'
ladder_steps = \
  '"cublas|vendor|the vendor’s library" ' . \
  '"naive|row_column|one element per thread" ' . \
  '"tile|tile|tiles of a and b in shared memory" ' . \
  '"several|several|eight elements per thread" ' . \
  '"two_phases|overlap|the next tiles load meanwhile" ' . \
  '"patch|patch|8 × 8 elements per thread" ' . \
  '"groups|vectors|16-byte accesses" ' . \
  '"warp_tile|lanes|the lanes of a warp in 4 × 8" ' . \
  '"double_buffer|buffers|two slices, one barrier" ' . \
  '"async|async|copies that run by themselves" ' . \
  '"tall_patch|tall_patch|16 × 8 elements per thread" ' . \
  '"lean|lean|fewer instructions between products" ' . \
  '"read_ahead|ahead|operands are read one k ahead" ' . \
  '"bands|bands|blocks walk in bands" ' . \
  '"snake|snake|each product reuses a factor"'
load 'figures/common/ladder.gp'
