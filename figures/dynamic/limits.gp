# title: Time of the picture over the limit, in five ways
# data: bench/dynamic/limits.h200.csv
figure_height = 360
load 'figures/common/style.gp'
set logscale x 2
set logscale y
set xrange [50:90000]
set yrange [lowest('dynamic/limits', 'time_us') / 2e3:]
set xtics ('64' 64, '256' 256, '1024' 1024, '4096' 4096, '16 384' 16384, \
  '65 536' 65536)
set xlabel (exists("narrow") && narrow ? 'limit of steps (logarithmic)' : \
  'limit: steps after which a point counts as inside (logarithmic)')
set ylabel 'time in ms (logarithmic)'
set key top left
names = 'pixels host_loop children persistent'
spoken = '"every pixel" "host loop" children persistent'
plot for [i = 1:4] rows(csv('dynamic/limits', machine), \
  'version=' . word(names, i)) using \
  (column("limit")):(column("time_us") * 0.001) with linespoints \
  linetype i title word(spoken, i)
