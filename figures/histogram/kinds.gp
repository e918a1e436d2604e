# title: Cycles of a warp's atomic request to shared memory, by kind and words
# data: bench/histogram/shared_kinds.reference.csv
figure_height = 480
load 'figures/common/style.gp'
patterns = 'own drawn bank_32 one'
heads = '"own words" "drawn words" "one bank" "one word"'
file = csv('histogram/shared_kinds', machine)
n = 16

set logscale x
set xrange [0.8:100000]
if (narrow) { set xtics (1, 4, 16, 64, '1000' 1000, '10 000' 10000) } \
else { set xtics (1, 2, 4, 8, 16, 32, 64, 128, '1000' 1000, '10 000' 10000) }
set yrange [n - 0.4:-0.6]
set ytics scale 0
set lmargin at screen left_at(0.19); set rmargin at screen right_at(0.985)
set xlabel 'cycles for a request of a warp (logarithmic)'
key_narrow_lines = 2
load 'figures/common/key.gp'
set arrow 1 from first 32, graph 0 to first 32, graph 1 nohead \
  dashtype '-' linecolor rgb colour_muted
named(k, kept) = (strstrt(k, '_') ? k[1:strstrt(k, '_') - 1] . ' ' . \
  k[strstrt(k, '_') + 1:*] : k) . (kept > 0 ? ', kept' : '')
plot for [i = 1:4] rows(file, 'version=' . word(patterns, i)) \
    using (column("request_cycles")):(column(0) + 0.12 * (i - 2.5)) \
    with points linecolor rgb colour(i) pointtype point(i) pointsize 0.75 \
    title word(heads, i), \
  rows(file, 'version=own') using (0.5):(column(0)): \
    ytic(named(stringcolumn("kind"), column("kept"))) with points \
    linecolor rgb colour_1 notitle
