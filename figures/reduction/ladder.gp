# title: Bandwidth of every version of the sum, and of CUB’s
# data: bench/reduction/ladder.reference.csv
ladder_of = 'reduction/ladder'
ladder_y = 'gb_per_s'; ladder_scale = 1; ladder_digits = 0
ladder_unit = 'GB/s'; ladder_best = 'cub'; ladder_share = 'of CUB'
ladder_steps = \
  '"copy|copy|reads and writes: both count" ' . \
  '"interleaved|neighbours|neighbours first: warps diverge" ' . \
  '"strided|firsts|first threads: banks conflict" ' . \
  '"sequential|halves|halves: neither" ' . \
  '"first_add|pairs|adds two numbers while loading" ' . \
  '"last_warp|last_warp|no block barrier in the last warp" ' . \
  '"all_unrolled|unrolled|the loop’s bounds are constants" ' . \
  '"block_unrolled|several|eight numbers per thread" ' . \
  '"shuffle|shuffle|warps add without shared memory" ' . \
  '"grid_stride|stride|as many blocks as fit, looping" ' . \
  '"wide|vectors|four 16-byte loads in flight" ' . \
  '"atomic|atomic|one kernel: atomics add the blocks" ' . \
  '"cooperative|grid|one kernel: a barrier of the grid" ' . \
  '"ticket|ticket|one kernel: the last block adds" ' . \
  '"large|large_tile|blocks of 1024 threads" ' . \
  '"cub|vendor|DeviceReduce::Sum"'
load 'figures/common/ladder.gp'
