# title: What share of the bound pipelines reach, against the number of pieces
# data: bench/streams/pieces.reference.csv
figure_height = 340
load 'figures/common/style.gp'
file = csv('streams/pieces', machine)
first(column, part) = real(cell(file, \
  sprintf('part=%s factor=1', part), column))
# The formula of the text: gaps, and a start that nothing overlaps with.
start(part) = first('in_us', part) + first('kernel_us', part)
formula(n, link, gap, begin) = 100 * link / (link + n * gap + begin / n)
parts = '8 16 32'
bytes(part) = first('n_elems', part) * 4
size(part) = bytes(part) < 2.0 ** 30 ? \
  sprintf('%.0f MiB each way', bytes(part) / 2 ** 20) : \
  sprintf('%.0f GiB each way', bytes(part) / 2 ** 30)
set logscale x 2
set xrange [4:600]; set yrange [65:102]
set xtics (4, 8, 16, 32, 64, 128, 256, 512)
set ytics 10
set xlabel 'pieces (logarithmic)'
set ylabel 'share of the bound in %'
key_lines = 2; key_narrow_lines = 4
load 'figures/common/key.gp'
array of_part[3]
do for [i = 1:3] { of_part[i] = word(parts, i) }
do for [i = 1:3] {
  p = of_part[i]
  eval sprintf('link%d = %.6f; gap%d = %.6f; begin%d = %.6f', i, \
    first('link_us', p), i, first('gap_us', p), i, start(p))
}
plot 100.0 with lines linecolor rgb role_ceiling dashtype '-' notitle, \
  formula(x, link1, gap1, begin1) with lines linecolor rgb colour_1 \
    linewidth 1 notitle, \
  formula(x, link2, gap2, begin2) with lines linecolor rgb colour_2 \
    linewidth 1 notitle, \
  formula(x, link3, gap3, begin3) with lines linecolor rgb colour_3 \
    linewidth 1 notitle, \
  for [i = 1:3] rows(file, 'part=' . of_part[i]) using \
    (column("n_pieces")):(100 * column("share")) with points \
    linetype i pointsize 1 title size(of_part[i]), \
  NaN with lines linecolor rgb colour_muted linewidth 1 \
    title 'the formula, from single costs'
