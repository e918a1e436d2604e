# title: Bandwidth of every version of the histogram, and of CUB’s
# data: bench/histogram/ladder.reference.csv
# data: bench/histogram/cub.reference.csv
ladder_of = 'histogram/ladder'
ladder_y = 'gb_per_s'; ladder_scale = 1; ladder_digits = 0
ladder_unit = 'GB/s'; ladder_best = 'cub'; ladder_share = 'of CUB'
ladder_best_in = 'histogram/cub'; ladder_only = ' data=drawn'
ladder_steps = \
  '"read|read|reads every byte and counts nothing" ' . \
  '"global|global|an atomic in global memory per byte" ' . \
  '"aggregated|matched|a warp’s equal bytes together" ' . \
  '"shared|shared|each block has its own bins" ' . \
  '"wide|vectors|16 bytes in one load" ' . \
  '"matched|matched|equal bytes together, in shared memory" ' . \
  '"warps|copies|each warp has its own bins" ' . \
  '"columns_8|columns|8 counters for each bin" ' . \
  '"columns_32|own|a counter for each lane" ' . \
  '"lanes|own|the same, for 1024 threads"'
load 'figures/common/ladder.gp'
