# Two panels for one warp and its tile in shared memory: the request that
# stores a row of it, and the one that loads a column.
#
# Set before `load`: map_file, map_warp.

map_context = 'space=shared'
set multiplot
do for [map_i = 1:2] {
  map_operation = word('store load', map_i)
  map_where = sprintf('space=shared operation=%s warp=%d', map_operation, \
    map_warp)
  map_title = sprintf('warp %d %ss %s %d of the tile', map_warp, \
    map_operation, word('row column', map_i), map_warp)
  map_left = (map_i - 1) / 2.0 + 0.02; map_right = map_i / 2.0 - 0.02
  map_bottom = 0.055; map_top = 0.88
  load 'figures/common/access_shared.gp'
}
unset multiplot
