# title: Time of the picture over the limit, in five ways
# data: bench/dynamic/limits.reference.csv
figure_height = 360
load 'figures/common/style.gp'
set logscale x 2
set logscale y
set xrange [50:70000]
set xtics ('64' 64, '1024' 1024, '16 384' 16384)
if (!narrow) { set xtics add ('256' 256, '4096' 4096, '65 536' 65536) }
set xlabel (exists("narrow") && narrow ? 'limit of steps (logarithmic)' : \
  'limit: steps after which a point counts as inside (logarithmic)')
set ylabel 'time in ms (logarithmic)'
names = 'pixels host_loop children persistent'
spoken = '"every pixel" "host loop" children persistent'
file = csv('dynamic/limits', machine)
ends_n = 4; ends_log = 1
ends_low = lowest('dynamic/limits', 'time_us') / 2e3
ends_high = highest('dynamic/limits', 'time_us') / 0.5e3
set yrange [ends_low:ends_high]
ends_y(i) = 0.001 * real(cell(file, 'limit=65536 version=' . word(names, i), \
  'time_us'))
ends_name(i) = word(spoken, i)
ends_ink(i) = colour(i)
set rmargin at screen right_at(0.84)
load 'figures/common/ends.gp'
plot for [i = 1:4] rows(csv('dynamic/limits', machine), \
  'version=' . word(names, i)) using \
  (column("limit")):(column("time_us") * 0.001) with linespoints \
  linetype i
