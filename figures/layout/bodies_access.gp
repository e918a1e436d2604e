# title: Which bytes the first load of a warp touches, for five layouts of the bodies
# data: bench/layout/aos_access.software.csv
# data: bench/layout/padded_access.software.csv
# data: bench/layout/soa_access.software.csv
# data: bench/layout/aosoa_access.software.csv
# data: bench/layout/staged_access.software.csv
figure_height = 600
load 'figures/common/style.gp'

cases = 'aos padded soa aosoa staged'
heads = '"AoS: bodies[i].velocity" ' . \
  '"padded to 16 bytes: bodies[i]" ' . \
  '"SoA: velocity[i]" ' . \
  '"AoSoA: packs[i / 32].velocity[i % 32]" ' . \
  '"staged: words[i]" '
n = words(cases)
map_where = 'space=global operation=load'
map_lines = 3
set multiplot
do for [i = 1:n] {
  map_file = csv('layout/' . word(cases, i) . '_access', 'software')
  map_title = word(heads, i)
  map_top = 1 - 0.95 * (i - 0.72) / n
  map_bottom = 1 - 0.95 * (i - 0.02) / n
  load 'figures/common/access_global.gp'
}
map_bottom = 0; map_top = 0.035
load 'figures/common/access_key.gp'
unset multiplot
