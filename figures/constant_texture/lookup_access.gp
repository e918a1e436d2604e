# title: Which words of the table the lanes of one warp ask for
# data: bench/constant_texture/lookup_access.software.csv
figure_height = 470
load 'figures/common/style.gp'
launches = '1 3 6 9'
heads = '"1 word" "4 neighbouring words" "32 neighbouring words" ' . \
  '"4 words, 32 apart"'
n = words(launches)
map_lines = 1
map_file = csv('constant_texture/lookup_access', 'software')
set multiplot
do for [i = 1:n] {
  map_where = 'space=global operation=load launch=' . word(launches, i)
  map_title = word(heads, i)
  map_top = 1 - 0.95 * (i - 0.72) / n
  map_bottom = 1 - 0.95 * (i - 0.02) / n
  load 'figures/common/access_global.gp'
}
map_bottom = 0; map_top = 0.045
load 'figures/common/access_key.gp'
unset multiplot
