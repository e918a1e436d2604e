-- title: Banks that one warp hits in the swizzled tile
-- data: bench/transpose/swizzled_access.software.csv
d:bank_maps('transpose/swizzled_access', 5)
