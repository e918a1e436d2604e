# title: Bandwidth of every version of the scan, of CUB and of a copy
# data: bench/scan/ladder.reference.csv
ladder_of = 'scan/ladder'
ladder_y = 'gb_per_s'; ladder_scale = 1; ladder_digits = 0
ladder_unit = 'GB/s'; ladder_best = 'cub'; ladder_share = 'of CUB'
ladder_steps = \
  '"copy|copy|reads and writes every element once" ' . \
  '"cub|vendor|the vendor’s library" ' . \
  '"hillis_steele|steps|add what is 1, 2, 4 … to the left" ' . \
  '"blelloch|up_down|a tree, up and down" ' . \
  '"padded|padded|the tree without bank conflicts" ' . \
  '"shuffles|shuffle|warps scan in registers" ' . \
  '"sums_first|sums|sums of tiles first, one pass less" ' . \
  '"chained|chain|one pass: a tile waits for the last" ' . \
  '"one_looks_back|back|one thread adds the tiles before" ' . \
  '"warp_looks_back|warp_back|a warp looks at 32 tiles at a time" ' . \
  '"large_tiles|large_tile|tiles of eight times the size" ' . \
  '"streaming|stream|stores that the cache need not keep"'
load 'figures/common/ladder.gp'
