# title: Which sectors of the host's memory one warp's load asks for
# data: bench/transfers/floats_access.software.csv
# data: bench/transfers/shifted_access.software.csv
# data: bench/transfers/stride_access.software.csv
figure_height = 400
load 'figures/common/style.gp'

cases = 'floats shifted stride'
heads = '"in order: h_in[i]" "one further on: h_in[i + 1]" ' . \
  '"one of each sector: h_in[8 * i]"'
n = words(cases)
map_where = 'space=global operation=load'
map_lines = 2
set multiplot
do for [i = 1:n] {
  map_file = csv('transfers/' . word(cases, i) . '_access', 'software')
  map_title = word(heads, i)
  map_top = 1 - 0.94 * (i - 0.72) / n
  map_bottom = 1 - 0.94 * (i - 0.02) / n
  load 'figures/common/access_global.gp'
}
map_bottom = 0; map_top = 0.05
load 'figures/common/access_key.gp'
unset multiplot
