# title: Banks that one warp of the radix-4 transform hits between two passes
# data: bench/libraries/radix_4_access.software.csv
figure_height = 400
load 'figures/common/style.gp'
map_file = csv('libraries/radix_4_access', 'software')
map_context = 'space=shared warp=0'
set multiplot
do for [map_i = 1:2] {
  map_operation = word('store load', map_i)
  map_where = sprintf('space=shared operation=%s warp=0', map_operation)
  map_title = sprintf('warp 0: its first %s', map_operation)
  map_left = (map_i - 1) / 2.0 + 0.02; map_right = map_i / 2.0 - 0.02
  map_bottom = 0.055; map_top = 0.88
  load 'figures/common/access_shared.gp'
}
unset multiplot
