# title: How many pixels of the photograph have each value of red, green, blue
# data: bench/histogram/photo.software.csv
figure_height = 310
load 'figures/common/style.gp'
names = 'red green blue'
inks = colour_2 . ' ' . colour_3 . ' ' . colour_1
dashes = '1 2 4'
unset label 999
set xrange [0:255]; set yrange [5:6000]
set logscale y; set ytics (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
set xtics (0, 32, 64, 96, 128, 160, 192, 224, 255)
set xlabel 'value'
set ylabel 'pixels (logarithmic)'
load 'figures/common/key.gp'
plot for [i = 1:3] csv('histogram/photo', 'software') \
  using (column("value")):(column(word(names, i))) with lines \
  linecolor rgb word(inks, i) dashtype int(word(dashes, i)) linewidth 1.5 \
  title word(names, i)
