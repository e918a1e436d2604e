# title: Speed-up of a program against the share that becomes 20 times as fast
# data: bench/speedup/percents.software.csv
# data: bench/speedup/problems.software.csv
figure_height = 340
load 'figures/common/style.gp'
file = csv('speedup/percents', 'software')
answers = csv('speedup/problems', 'software')
for_two = real(cell(answers, 'quantity=percent_for_2', 'value'))
for_half = real(cell(answers, 'quantity=percent_for_half', 'value'))
half = real(cell(answers, 'quantity=half_of_most', 'value'))

unset label 999
unset key
set xrange [0:100]; set yrange [0:21]
set xtics 10; set ytics 2
set xlabel 'share of the time that the GPU takes over, in %'
set ylabel 'speed-up of the program'
set arrow 1 from for_two, 0 to for_two, 2 nohead dashtype '-' \
  linecolor rgb colour_muted
set arrow 2 from for_half, 0 to for_half, half nohead dashtype '-' \
  linecolor rgb colour_muted
set label 1 sprintf('2 at %.1f %%', for_two) at for_two, 2 \
  offset -1, 1 right
set label 2 sprintf('%g at %.1f %%', half, for_half) at for_half, half \
  offset -1.2, 0.3 right
plot file using (column("percent")):(column("speedup")) with lines \
    linetype 1, \
  answers using (stringcolumn("quantity") eq 'percent_for_2' ? \
    column("value") : NaN):(2) with points linecolor rgb colour_2 \
    pointtype 7 pointsize 0.8, \
  answers using (stringcolumn("quantity") eq 'percent_for_half' ? \
    column("value") : NaN):(half) with points linecolor rgb colour_2 \
    pointtype 7 pointsize 0.8
