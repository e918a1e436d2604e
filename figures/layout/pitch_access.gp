# title: Which bytes the load of a row of 100 floats touches, plain and pitched
# data: bench/layout/plain_access.software.csv
# data: bench/layout/pitched_access.software.csv
figure_height = 270
load 'figures/common/style.gp'

cases = 'plain pitched'
heads = '"plain: row 1 begins 400 bytes behind row 0" ' . \
  '"pitched: row 1 begins 512 bytes behind row 0" '
n = words(cases)
map_where = 'space=global operation=load warp=1'
map_lines = 2
set multiplot
do for [i = 1:n] {
  map_file = csv('layout/' . word(cases, i) . '_access', 'software')
  map_title = word(heads, i)
  map_top = 1 - 0.90 * (i - 0.72) / n
  map_bottom = 1 - 0.90 * (i - 0.02) / n
  load 'figures/common/access_global.gp'
}
map_bottom = 0; map_top = 0.078
load 'figures/common/access_key.gp'
unset multiplot
