# title: Speed of every version of the product on tensor cores, and of cuBLAS
# data: bench/tensor_cores/ladder_4096.reference.csv
ladder_of = 'tensor_cores/ladder_4096'
ladder_y = 'tflop_per_s'; ladder_scale = 1; ladder_digits = 0
ladder_unit = 'TFLOP/s'; ladder_best = 'cublas'; ladder_share = 'of cuBLAS'
ladder_steps = \
  '"cublas|vendor|the vendor’s library" ' . \
  '"wmma|row_column|fragments out of global memory" ' . \
  '"mma_plain|tile|mma.sync, tiles in shared memory" ' . \
  '"mma|swizzle|mma.sync, swizzled tiles" ' . \
  '"wgmma|large_tile|TMA and wgmma in turn" ' . \
  '"ring_2|buffers|two stages" ' . \
  '"ring_4|overlap|four stages" ' . \
  '"specialised|several|a warp loads, others multiply" ' . \
  '"cluster|lanes|two blocks share the tile of B" ' . \
  '"rows|row|blocks stay; tiles row by row" ' . \
  '"bands|bands|blocks stay; tiles in bands" ' . \
  '"fastest|async|stored later, by the TMA"'
load 'figures/common/ladder.gp'
