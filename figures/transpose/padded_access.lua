-- title: Banks that one warp hits in the padded tile
-- data: bench/transpose/padded_access.software.csv
d:bank_maps('transpose/padded_access', 5)
