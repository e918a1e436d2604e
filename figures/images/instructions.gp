# title: Time of every version against the instructions of its warps
# data: bench/images/motion.reference.csv
# data: bench/images/median.reference.csv
# data: bench/images/motion_counts.reference.csv
# data: bench/images/median_counts.reference.csv
figure_height = 400
load 'figures/common/style.gp'

# Instructions of a warp for 32 pixels; time of a pixel in picoseconds.
of(ladder, v) = real(cell(csv('images/' . ladder . '_counts', machine), \
  'version=' . v, 'warp_instructions')) * 32 / real(cell(csv('images/' . \
  ladder . '_counts', machine), 'version=' . v, 'n_rows')) / \
  real(cell(csv('images/' . ladder . '_counts', machine), \
  'version=' . v, 'n_cols'))
takes(ladder, v, m) = 1000.0 / real(cell(csv('images/' . ladder, \
  word(machines, m)), 'version=' . v, 'gpixels_per_s'))

versions(ladder) = values(csv('images/' . ladder, machine), 'version')
named = ' bytes tile two_channels strip inside insertion counting network '
shorter(s) = strstrt(named, ' ' . s . ' ') == 0 ? '" "' : strstrt(s, '_') ? s[1:strstrt(s, '_') - 1] . ' ' . \
  s[strstrt(s, '_') + 1:*] : s
set logscale xy
set xrange [30:2000]
set yrange [1:*]
set xlabel 'instructions of a warp for 32 pixels'
set ylabel 'picoseconds per pixel'
set xtics (50, 100, 200, 500, 1000)
set ytics (1, 2, 5, 10, 20, 50, 100, 200)
ceiling = takes('motion', 'copy', 1)
set arrow 1 from graph 0, first ceiling to graph 1, first ceiling nohead \
  dashtype '-' linecolor rgb role_ceiling
set label 1 'the copy' at graph 0.99, first ceiling right offset 0, 0.5 \
  font small textcolor rgb colour_muted
load 'figures/common/key.gp'
ladders = 'motion median'
set print $points
print 'ladder,machine,x,y,name'
do for [k = 1:2] {
  do for [m = 1:n_machines] {
    do for [v in versions(word(ladders, k))] {
      if (v ne 'copy') {
        print sprintf('%d,%d,%g,%g,%s', k, m, of(word(ladders, k), v), \
          takes(word(ladders, k), v, m), m > 1 || v eq 'tile' || (k == 2 && v eq 'strip') ? '" "' : shorter(v))
      }
    }
  }
}
unset print
plot for [k = 1:2] for [m = 1:n_machines] $points \
    using (column("ladder") == k && column("machine") == m ? column("x") : \
    NaN):(column("y")) with points linetype k pointsize (m == 1 ? 1 : 0.6) \
    title m == 1 ? word('"motion blur" "median"', k) : '', \
  $points using (column("ladder") == 1 && stringcolumn("name") ne 'bytes' ? \
    column("x") : NaN):(column("y")):(stringcolumn("name")) with labels \
    font small left offset 0.8, -0.5 textcolor rgb colour_1 notitle, \
  $points using (stringcolumn("name") eq 'bytes' ? column("x") : NaN): \
    (column("y")):(stringcolumn("name")) with labels font small \
    right offset -0.8, 0.5 textcolor rgb colour_1 notitle, \
  $points using (column("ladder") == 2 ? column("x") : NaN): \
    (column("y")):(stringcolumn("name")) with labels font small \
    right offset -0.8, 0.5 textcolor rgb colour_2 notitle
