# title: Bandwidth of every version of the transform, and of a copy
# data: bench/libraries/fft.reference.csv
ladder_of = 'libraries/fft'
ladder_y = 'gb_per_s'; ladder_scale = 1; ladder_digits = 0
ladder_unit = 'GB/s'; ladder_best = 'copy'; ladder_share = 'of the copy'
ladder_steps = \
  '"copy|copy|reads and writes every point once" ' . \
  '"direct|definition|the definition" ' . \
  '"radix_2|butterfly|ten passes through shared memory" ' . \
  '"radix_4|butterflies|five passes" ' . \
  '"radix_32|thread_points|two passes, 32 points per thread" ' . \
  '"padded|padded|the same without bank conflicts" ' . \
  '"precise|precise|each root is computed by itself" ' . \
  '"cufft|vendor|the vendor’s library"'
load 'figures/common/ladder.gp'
