# title: Patterns in which a warp takes one wavefront
# data: bench/shared_memory/own_access.software.csv
# data: bench/shared_memory/permuted_access.software.csv
# data: bench/shared_memory/broadcast_access.software.csv
# data: bench/shared_memory/multicast_access.software.csv
# data: bench/shared_memory/stride_3_access.software.csv
figure_height = 620
load 'figures/common/style.gp'

cases = 'own permuted broadcast multicast stride_3'
heads = '"neighbouring words" "the same words, out of order" ' . \
  '"one word for all: broadcast" ' . \
  '"four words for eight lanes each: multicast" "every third word"'
n = words(cases)
map_where = 'space=shared operation=load launch=1'
map_deepest = 3
set multiplot
do for [i = 1:n] {
  map_file = csv('shared_memory/' . word(cases, i) . '_access', 'software')
  map_title = word(heads, i)
  map_top = 1 - (i - 0.79) / n
  map_bottom = 1 - (i - 0.02) / n
  load 'figures/common/access_banks.gp'
}
unset multiplot
