# title: Lanes and banks of one atomic request, with 1, 8, 32 counters a bin
# data: bench/histogram/wide_access.software.csv
# data: bench/histogram/columns_8_access.software.csv
# data: bench/histogram/lanes_access.software.csv
figure_height = 480
load 'figures/common/style.gp'

# The second launch counts bytes of all values.
cases = 'wide columns_8 lanes'
heads = '"one counter for each bin" "eight counters" "32 counters"'
n = words(cases)
map_where = 'space=shared operation=atomic warp=0 launch=2'
set multiplot
do for [i = 1:n] {
  map_file = csv('histogram/' . word(cases, i) . '_access', 'software')
  map_title = word(heads, i)
  map_request = 1
  map_top = 1 - (i - 0.82) / n
  map_bottom = 1 - (i - 0.02) / n
  load 'figures/common/access_banks.gp'
}
unset multiplot
