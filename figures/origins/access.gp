# title: What one warp reads under the rules of a pixel shader, and without
# data: bench/origins/shade_access.software.csv
# data: bench/origins/scatter_access.software.csv
figure_height = 270
load 'figures/common/style.gp'

cases = 'shade scatter'
heads = '"gathering: each lane is a bin, and the first value is for all" ' . \
  '"scattering: each lane has a value of its own"'
n = words(cases)
map_where = 'space=global operation=load warp=0'
set multiplot
do for [i = 1:n] {
  map_file = csv('origins/' . word(cases, i) . '_access', 'software')
  map_title = word(heads, i)
  map_top = 1 - 0.90 * (i - 0.72) / n
  map_bottom = 1 - 0.90 * (i - 0.02) / n
  load 'figures/common/access_global.gp'
}
map_bottom = 0; map_top = 0.075
load 'figures/common/access_key.gp'
unset multiplot
