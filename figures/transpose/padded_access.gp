# title: Banks that one warp hits in the padded tile
# data: bench/transpose/padded_access.software.csv
figure_height = 400
load 'figures/common/style.gp'
map_file = csv('transpose/padded_access', 'software')
map_warp = 5
load 'figures/common/access_pair.gp'
