# title: Banks that one warp hits in the plain tile
# data: bench/transpose/tile_access.software.csv
figure_height = 400
load 'figures/common/style.gp'
map_file = csv('transpose/tile_access', 'software')
map_warp = 5
load 'figures/common/access_pair.gp'
