# title: Patterns in which a warp takes several wavefronts
# data: bench/shared_memory/stride_2_access.software.csv
# data: bench/shared_memory/stride_8_access.software.csv
# data: bench/shared_memory/random_access.software.csv
figure_height = 440
load 'figures/common/style.gp'

cases = 'stride_2 stride_8 random'
heads = '"every second word" "every eighth word" "words drawn by lot"'
n = words(cases)
map_where = 'space=shared operation=load launch=1'
set multiplot
do for [i = 1:n] {
  map_file = csv('shared_memory/' . word(cases, i) . '_access', 'software')
  map_title = word(heads, i)
  map_top = 1 - (i - 0.82) / n
  map_bottom = 1 - (i - 0.02) / n
  load 'figures/common/access_banks.gp'
}
unset multiplot
