# title: A warp reads the slice of b, in two arrangements of its lanes
# data: bench/matmul/groups_access.software.csv
# data: bench/matmul/warp_tile_access.software.csv
figure_height = 520
load 'figures/common/style.gp'
map_context = 'space=shared operation=load'
map_where = 'space=shared operation=load warp=0'
map_request = 3
map_rows = 65
set multiplot
do for [map_i = 1:2] {
  map_file = csv(map_i == 1 ? 'matmul/groups_access' : \
    'matmul/warp_tile_access', 'software')
  map_title = map_i == 1 ? 'lanes in 2 rows of 16' : \
    'lanes 4 down and 8 across'
  map_left = (map_i - 1) / 2.0 + 0.02; map_right = map_i / 2.0 - 0.02
  map_bottom = 0.045; map_top = 0.91
  load 'figures/common/access_shared.gp'
}
unset multiplot
