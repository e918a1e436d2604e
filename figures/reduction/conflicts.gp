# title: Lanes and banks of three loads of the tree
# data: bench/reduction/strided_access.software.csv
# data: bench/reduction/sequential_access.software.csv
figure_height = 480
load 'figures/common/style.gp'

# Each level loads twice; the tree's first loads are requests 1 and 2.
cases = 'strided strided sequential'
loads = '1 5 5'
heads = '"strided, first level" "strided, third level" "halves, third level"'
n = words(cases)
map_where = 'space=shared operation=load warp=0'
set multiplot
do for [i = 1:n] {
  map_file = csv('reduction/' . word(cases, i) . '_access', 'software')
  map_title = word(heads, i)
  map_request = int(word(loads, i))
  map_top = 1 - (i - 0.82) / n
  map_bottom = 1 - (i - 0.02) / n
  load 'figures/common/access_banks.gp'
}
unset multiplot
