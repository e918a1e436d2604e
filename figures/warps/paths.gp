# title: Time and divergent branches against the number of paths
# data: bench/warps/paths.reference.csv
# data: bench/warps/paths_counts.software.csv
# data: bench/warps/paths_counts.reference.csv
figure_height = 490
load 'figures/common/style.gp'
versions = 'paths_by_lane paths_by_warp'
names = '"by lane" "by warp"'
of(file, i) = rows(file, 'version=' . word(versions, i))
timed(m) = csv('warps/paths', word(machines, m))
counted(m) = csv('warps/paths_counts', word(machines, m))
software = csv('warps/paths_counts', 'software')
at_end(m, i) = real(cell(timed(m), 'version=' . word(versions, i) . \
  ' n_paths=32', 'time_us'))

set xrange [0.5:32.5]
set xtics (1, 4, 8, 12, 16, 20, 24, 28, 32)
longest = highest('warps/paths', 'time_us') * 1.06
set lmargin at screen left_at(longest < 10000 ? 0.115 : 0.15)
set rmargin at screen right_at(0.86)
unset key
set multiplot
set tmargin at screen 0.94; set bmargin at screen 0.55
set yrange [0:longest]
set ylabel 'time in µs'
ends = spread(sprintf('%.4f %.4f', fraction(at_end(1, 1), 0, longest), \
  fraction(at_end(1, 2), 0, longest)), 0.08)
do for [i = 1:2] {
  set label i word(names, i) at 32.5, graph real(word(ends, i)) left \
    offset 0.5, 0 textcolor rgb colour(i)
}
plot for [m = 1:n_machines] for [i = 1:2] of(timed(m), i) using \
    (column("n_paths")):(column("time_us")) with linespoints \
    linecolor rgb colour(i) pointtype point(i) pointsize 0.4 \
    linewidth weight(m) dashtype dash(m)

unset label 999
set tmargin at screen 0.44; set bmargin at screen 0.12
set yrange [-1.5:36]
set ytics 8
set ylabel narrow ? 'divergent branches' : 'divergent branches per warp'
set xlabel 'paths'
set label 1 at 32.5, 32
set label 2 at 32.5, 0
per_warp(x) = column("divergent_branches") / (column("n_elems") / 32.0)
# Between the panels, where it covers the data of neither.
set key on at screen (narrow ? 0.02 : left_at(0.10)), screen 0.495 left top \
  horizontal Left reverse samplen (narrow ? 0.5 : 1.5) width -4 font small
plot for [i = 1:2] of(software, i) using (column("n_paths")):(per_warp(0)) \
    with lines linecolor rgb colour(i) \
    title i == 1 ? 'software device (line)' : '', \
  for [i = 1:2] of(counted(1), i) using (column("n_paths")):(per_warp(0)) \
    with points linecolor rgb colour(i) pointtype point(i) pointsize 0.5 \
    title i == 1 ? gpu(1) . ' (points)' : ''
unset multiplot
