# title: Sectors per request of each access pattern, counted twice
# data: bench/coalescing/pattern_counts.h200.csv
# data: bench/coalescing/pattern_counts.software.csv
figure_height = 470
load 'figures/common/style.gp'
load 'figures/common/bars.gp'
set label 999 gpu(1)
bars_side_by_side = 2
hardware = csv('coalescing/pattern_counts', machine)
software = csv('coalescing/pattern_counts', 'software')
versions = values(hardware, 'version')
n = words(versions)

# The side that follows the pattern: stores for the versions that say so.
sectors(d) = stringcolumn("version")[1:5] eq 'store' ? \
  column("st_sectors") / column("st_requests") : \
  column("ld_sectors") / column("ld_requests")

set yrange [n - 0.4:-0.7]
set ytics ()
do for [i = 1:n] { set ytics add (spaced(word(versions, i)) i - 1) }
set xrange [0:34.5]
set xtics (0, 4, 8, 16, 24, 32)
set xlabel 'sectors per request'
set key at graph 0.99, graph 0.98 right top noreverse Right samplen 1
plot hardware using (0):(column(0)):(0):(sectors(0)): \
    (bar_low(column(0), 1)):(bar_high(column(0), 1)) with boxxyerror \
    linecolor rgb bar_colour(1) title gpu(1) . ' (Nsight Compute)', \
  software using (0):(column(0)):(0):(sectors(0)): \
    (bar_low(column(0), 2)):(bar_high(column(0), 2)) with boxxyerror \
    linecolor rgb bar_colour(2) title 'software device', \
  hardware using (sectors(0)):(bar_middle(column(0), 1)): \
    (sprintf('%.4g', sectors(0))) with labels left offset 0.5, 0 font tiny \
    textcolor rgb colour_ink, \
  software using (sectors(0)):(bar_middle(column(0), 2)): \
    (sprintf('%.4g', sectors(0))) with labels left offset 0.5, 0 font tiny \
    textcolor rgb colour_muted
