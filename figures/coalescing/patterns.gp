# title: Which bytes of global memory the load of one warp touches
# data: bench/coalescing/aligned_access.software.csv
# data: bench/coalescing/misaligned_access.software.csv
# data: bench/coalescing/not_consecutive_access.software.csv
# data: bench/coalescing/not_sequential_access.software.csv
# data: bench/coalescing/every_fourth_access.software.csv
# data: bench/coalescing/fp64_access.software.csv
# data: bench/coalescing/worst_access.software.csv
figure_height = 800
load 'figures/common/style.gp'

cases = 'aligned misaligned not_consecutive not_sequential every_fourth ' . \
  'fp64 worst'
heads = '"aligned: in[i]" "misaligned: in[i + 1]" ' . \
  '"not consecutive: in[i + i / 16 * 16]" ' . \
  '"not sequential: in[i / 32 * 32 + i * 5 % 32]" ' . \
  '"every fourth float: in[4 * i]" "doubles: in[i]" "worst: in[32 * i]"'
n = words(cases)
map_where = 'space=global operation=load'
map_lines = 2
set multiplot
do for [i = 1:n] {
  map_file = csv('coalescing/' . word(cases, i) . '_access', 'software')
  map_title = word(heads, i)
  map_top = 1 - 0.97 * (i - 0.72) / n
  map_bottom = 1 - 0.97 * (i - 0.02) / n
  load 'figures/common/access_global.gp'
}
map_bottom = 0; map_top = 0.025
load 'figures/common/access_key.gp'
unset multiplot
