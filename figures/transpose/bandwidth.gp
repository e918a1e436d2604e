# title: Bandwidth of every version of the transpose, and of a copy
# data: bench/transpose/bandwidth.reference.csv
ladder_of = 'transpose/bandwidth'
ladder_y = 'gb_per_s'; ladder_scale = 1; ladder_digits = 0
ladder_unit = 'GB/s'; ladder_best = 'copy'; ladder_share = 'of the copy'
ladder_steps = \
  '"copy|copy|reads and writes every element once" ' . \
  '"row_per_thread|row|one thread copies a whole row" ' . \
  '"element_per_thread|row_column|lanes read a row, write a column" ' . \
  '"element_of_output|column_row|lanes read a column, write a row" ' . \
  '"tile|tile|a tile is turned around in shared memory" ' . \
  '"padded|padded|one more column against bank conflicts" ' . \
  '"swizzled|swizzle|its columns are shuffled instead" ' . \
  '"several_elements|several|four elements per thread" ' . \
  '"large_tile|large_tile|tiles of 64 × 64, so rows are longer" ' . \
  '"vector|vectors|16-byte loads and stores" ' . \
  '"output_order|bands|blocks follow the order of the output"'
load 'figures/common/ladder.gp'
