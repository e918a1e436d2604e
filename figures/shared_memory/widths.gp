# title: Neighbouring words of 4, 8 and 16 bytes, and the banks that hold them
# data: bench/shared_memory/own_access.software.csv
figure_height = 440
load 'figures/common/style.gp'

heads = '"words of 4 bytes" "words of 8 bytes" "words of 16 bytes"'
n = 3
map_file = csv('shared_memory/own_access', 'software')
set multiplot
do for [i = 1:n] {
  map_where = sprintf('space=shared operation=load launch=%d', i)
  map_title = word(heads, i)
  map_top = 1 - (i - 0.82) / n
  map_bottom = 1 - (i - 0.02) / n
  load 'figures/common/access_banks.gp'
}
unset multiplot
