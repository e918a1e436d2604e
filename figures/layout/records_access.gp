# title: Which bytes the first load of a warp touches, whole structures and split ones
# data: bench/layout/whole_access.software.csv
# data: bench/layout/split_access.software.csv
figure_height = 300
load 'figures/common/style.gp'

cases = 'whole split'
heads = '"structures of 32 bytes: the first 16 of each" ' . \
  '"split: an array of 16-byte groups" '
n = words(cases)
map_where = 'space=global operation=load'
map_lines = 3
set multiplot
do for [i = 1:n] {
  map_file = csv('layout/' . word(cases, i) . '_access', 'software')
  map_title = word(heads, i)
  map_top = 1 - 0.91 * (i - 0.72) / n
  map_bottom = 1 - 0.91 * (i - 0.02) / n
  load 'figures/common/access_global.gp'
}
map_bottom = 0; map_top = 0.07
load 'figures/common/access_key.gp'
unset multiplot
