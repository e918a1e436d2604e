# title: The time of a copy is a fixed part and a part in proportion to its size
# data: bench/transfers/size.reference.csv
figure_height = 330
load 'figures/common/style.gp'
file = csv('transfers/size', machine)
chosen = 'version=pinned direction=in'
fixed = real(cell(file, chosen . ' n_bytes=1024', 'time_us'))
most = 268435456.0
rate = most / real(cell(file, chosen . ' n_bytes=268435456', 'time_us'))
equal = fixed * rate            # bytes, for which both parts take as long

set logscale xy
set xrange [700:4e8]; set yrange [1:9000]
set xtics ('1 KiB' 1024, '32 KiB' 32768, '1 MiB' 1048576, '32 MiB' 33554432)
set mxtics 1
set ytics ('1' 1, '10' 10, '100' 100, '1000' 1000)
set lmargin at screen left_at(0.11); set rmargin at screen right_at(0.97)
set xlabel 'bytes in one copy'
set ylabel 'time in µs'
set label 1 't₀: the fixed part' at 4e6, fixed * 0.72 textcolor rgb colour_muted
set label 2 narrow ? 'n / b' : 'n / b: the part in proportion' at 0.95 * rate, 1.7 \
  right textcolor rgb colour_muted
set arrow 1 from equal, 1 to equal, 2 * fixed nohead \
  linecolor rgb colour_grid linewidth 1.5
set label 3 'n = t₀ b' at equal * 1.15, 3 textcolor rgb colour_ink
plot fixed with lines dashtype 2 linecolor rgb colour_muted notitle, \
  x / rate with lines dashtype 2 linecolor rgb colour_muted notitle, \
  fixed + x / rate with lines linecolor rgb colour_1 linewidth 2 notitle, \
  rows(file, chosen) using (column("n_bytes")):(column("time_us")) \
    with points pointtype 7 linecolor rgb colour_1 notitle
