# title: Banks that one warp hits in the tree, without and with unused words
# data: bench/scan/blelloch_access.software.csv
# data: bench/scan/padded_access.software.csv
figure_height = 400
load 'figures/common/style.gp'
map_context = 'space=shared'
set multiplot
do for [map_i = 1:2] {
  map_file = csv('scan/' . word('blelloch padded', map_i) . '_access', \
    'software')
  map_where = 'space=shared operation=load warp=0'
  # The fifth step up: 32 nodes, each 32 words behind the other.
  map_request = 9
  map_title = word('plain padded', map_i) . ' tree, fifth step up'
  map_left = (map_i - 1) / 2.0 + 0.02; map_right = map_i / 2.0 - 0.02
  map_bottom = 0.055; map_top = 0.88
  load 'figures/common/access_shared.gp'
}
unset multiplot
