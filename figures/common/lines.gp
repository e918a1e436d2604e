# One panel: a line for each version of an experiment over a logarithmic x,
# with names at the ends of the reference's lines.
#
# Set before `load`: lines_of (the experiment), lines_x and lines_y (columns),
# lines_versions and lines_names (lists), lines_only (further conditions, or
# ''), lines_log (1: y is logarithmic as well) and lines_low, lines_high (the
# range of y). Optional: lines_bytes, 1 where x is a number of bytes;
# lines_inks, their colours; lines_every, the exponents of two between two tics of x; lines_gap, the
# least distance of two names; lines_from, where x begins.

if (!exists("lines_bytes")) { lines_bytes = 0 }
if (!exists("lines_every")) { lines_every = 4 }
if (!exists("lines_gap")) { lines_gap = 0.075 }
lines_n = words(lines_versions)
lines_where(i) = 'version=' . word(lines_versions, i) . ' ' . lines_only
lines_rows(i, m) = rows(csv(lines_of, word(machines, m)), lines_where(i))
if (!exists("lines_inks")) { lines_inks = colour_1 . ' ' . colour_2 . ' ' . \
  colour_3 . ' ' . colour_4 . ' ' . colour_ink . ' ' . colour_muted }
lines_points = '7 9 5 13 4 6'
lines_file = csv(lines_of, machine)
lines_first = exists("lines_from") ? lines_from : lowest(lines_of, lines_x)
lines_last = highest(lines_of, lines_x)
lines_named = extreme(lines_file, lines_x, 0)

set logscale x 2; set xrange [lines_first:lines_last * 1.02]
set xtics ()
lines_size(e) = e < 10 ? sprintf('%d B', 2 ** e) : \
  e < 20 ? sprintf('%d KiB', 2 ** (e - 10)) : \
  e < 30 ? sprintf('%d MiB', 2 ** (e - 20)) : \
  sprintf('%d GiB', 2 ** (e - 30))
do for [e = 0:40:lines_every] {
  if (2.0 ** e >= lines_first && 2.0 ** e <= lines_last) {
    set xtics add ((lines_bytes ? lines_size(e) : power(2, e)) 2.0 ** e)
  }
}
if (lines_log) { set logscale y 10 } else { unset logscale y }
set yrange [lines_low:lines_high]
if (lines_log) {
  set ytics ()
  # Where there are few powers of ten, 2 and 5 stand between them.
  lines_narrow = lines_high < 1000 * lines_low
  do for [e = -2:9] {
    set ytics add ((e < 4 || lines_narrow ? sprintf('%g', 10.0 ** e) : \
      power(10, e)) 10.0 ** e)
    if (lines_narrow) {
      do for [k in '2 5'] {
        set ytics add (sprintf('%g', k * 10.0 ** e) k * 10.0 ** e)
      }
    }
  }
} else {
  set ytics autofreq
}
ends_n = lines_n; ends_log = lines_log; ends_gap = lines_gap
ends_low = lines_low; ends_high = lines_high
ends_y(i) = real(cell(lines_file, lines_where(i) . \
  sprintf(' %s=%.0f', lines_x, lines_named), lines_y))
ends_name(i) = word(lines_names, i)
ends_ink(i) = word(lines_inks, i)
load 'figures/common/ends.gp'
plot for [m = 1:n_machines] for [i = 1:lines_n] lines_rows(i, m) \
  using (column(lines_x)):(column(lines_y)) with linespoints \
  linecolor rgb word(lines_inks, i) pointtype int(word(lines_points, i)) \
  pointsize 0.55 linewidth weight(m) dashtype dash(m) notitle
