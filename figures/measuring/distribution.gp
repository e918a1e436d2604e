# title: Samples of one kernel's time under four conditions
# data: bench/measuring/distribution.reference.csv
figure_height = 340
load 'figures/common/style.gp'
conditions = 'harness warm written waiting'
names = '"emptied by reading" "not emptied" "emptied by writing" "host waits first"'
set xrange [0.4:4.6]
set yrange [0:highest('measuring/distribution', 'time_us') * 1.08]
set xtics ()
lines_of(s) = strstrt(s, ' ') == 0 ? s : s[1:strstrt(s, ' ') - 1] . "\n" . \
  lines_of(s[strstrt(s, ' ') + 1:*])
do for [i = 1:4] {
  set xtics add ((narrow ? lines_of(word(names, i)) : word(names, i)) i)
}
if (narrow) { set bmargin 4 }
set grid noxtics
set ylabel 'time in µs'
# Samples of a condition from left to right as they were taken; those of
# several machines beside each other.
share = 0.7 / n_machines
place(i, m, s) = i - 0.35 + share * (m - 1) + share * 0.92 * s / 100.0
plot for [m = 1:n_machines] for [i = 1:4] rows(csv('measuring/distribution', \
  word(machines, m)), 'version=' . word(conditions, i)) using \
  (place(i, m, column("sample"))):(column("time_us")) with points \
  linecolor rgb colour(i) pointtype point(m) pointsize 0.35 notitle
