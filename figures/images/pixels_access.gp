# title: Which bytes the first load of a warp touches, for pixels of three and of four bytes
# data: bench/images/bytes_access.software.csv
# data: bench/images/pixels_access.software.csv
figure_height = 300
load 'figures/common/style.gp'

cases = 'bytes pixels'
heads = '"three bytes a pixel: one of three loads" "four bytes a pixel: the only load"'
n = words(cases)
map_where = 'space=global operation=load'
map_lines = 2
map_request = 3
set multiplot
do for [i = 1:n] {
  map_file = csv('images/' . word(cases, i) . '_access', 'software')
  map_title = word(heads, i)
  map_top = 1 - 0.91 * (i - 0.72) / n
  map_bottom = 1 - 0.91 * (i - 0.02) / n
  load 'figures/common/access_global.gp'
}
map_bottom = 0; map_top = 0.07
load 'figures/common/access_key.gp'
unset multiplot
