# title: Which bytes the first load of a warp touches, for three layouts of a picture
# data: bench/layout/window_rows_access.software.csv
# data: bench/layout/window_aos_access.software.csv
# data: bench/layout/window_soa_access.software.csv
figure_height = 400
load 'figures/common/style.gp'

cases = 'window_rows window_aos window_soa'
heads = '"rows: windows of 3 pixels in a row of the picture" ' . \
  '"AoS: windows of 6 pixels, one after another" ' . \
  '"SoA: the first pixels of all windows" '
n = words(cases)
map_where = 'space=global operation=load'
map_lines = 3
set multiplot
do for [i = 1:n] {
  map_file = csv('layout/' . word(cases, i) . '_access', 'software')
  map_title = word(heads, i)
  map_top = 1 - 0.93 * (i - 0.72) / n
  map_bottom = 1 - 0.93 * (i - 0.02) / n
  load 'figures/common/access_global.gp'
}
map_bottom = 0; map_top = 0.052
load 'figures/common/access_key.gp'
unset multiplot
