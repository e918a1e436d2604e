# title: Useful bandwidth of the bodies’ energy in every layout
# data: bench/layout/bodies.reference.csv
ladder_of = 'layout/bodies'
ladder_y = 'gb_per_s'; ladder_scale = 1; ladder_digits = 0
ladder_unit = 'GB/s'; ladder_best = 'aos'; ladder_share = 'of the copy'
# The copy is a column here.
ladder_best_y = 'copy_gb_per_s'
ladder_steps = \
  '"aos|aos|an array of structures" ' . \
  '"soa|soa|a structure of arrays" ' . \
  '"aos_l2|aos|structures, past L1" ' . \
  '"padded|padded|16-byte structures, one load each" ' . \
  '"aosoa|aosoa|packs of 32 bodies" ' . \
  '"staged|tile|structures, by way of shared memory" ' . \
  '"soa_vector|soa|arrays, four bodies per thread" ' . \
  '"aos_vector|aos|structures, four bodies per thread" ' . \
  '"kinetic_aos|aos|two of three members, structures" ' . \
  '"kinetic_soa|soa|two of three members, arrays" ' . \
  '"kinetic_aosoa|aosoa|two of three members, packs"'
load 'figures/common/ladder.gp'
