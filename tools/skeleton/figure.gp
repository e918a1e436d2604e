# title: Sectors that a load request touches, by version
# data: bench/SLUG/counts.software.csv
figure_height = 240
load 'figures/common/style.gp'
file = csv('SLUG/counts', 'software')

set boxwidth 0.5
set xrange [-0.7:*]; set yrange [0:*]
set offsets 0, 0.7, 0.5, 0
set grid noxtics
set ylabel 'sectors in a request'
plot file using 0:(column("ld_sectors") / column("ld_requests")): \
  xtic(stringcolumn("version")) with boxes linecolor rgb colour_1 notitle
