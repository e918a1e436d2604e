-- title: Banks that one warp hits in the tile
-- data: bench/transpose/tile_access.software.csv
d:bank_maps('transpose/tile_access', 5)
