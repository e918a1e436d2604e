# title: Bandwidth of the padded transpose against elements per thread
# data: bench/transpose/elements.h200.csv
figure_height = 300
load 'figures/common/style.gp'
set logscale x 2
set xrange [0.85:19]
set yrange [0:highest('transpose/elements', 'gb_per_s') * 1.15]
set xtics ()
do for [e = 0:4] { set xtics add (sprintf('%d', 2 ** e) 2 ** e) }
set xlabel 'elements per thread, tile of 32 × 32 (logarithmic)'
set ylabel 'bandwidth in GB/s'
set tmargin 1.8
unset key
plot for [m = 1:n_machines] csv('transpose/elements', word(machines, m)) \
    using (column("elems_per_thread")):(column("gb_per_s")) with linespoints \
    linetype 1 linewidth weight(m) dashtype dash(m), \
  csv('transpose/elements', machine) using (column("elems_per_thread")): \
    (column("gb_per_s")):(sprintf('%.0f', column("gb_per_s"))) \
    with labels offset 0, 0.9 font small textcolor rgb colour_ink
