# title: Sectors per request of each access pattern, counted twice
# data: bench/coalescing/pattern_counts.reference.csv
# data: bench/coalescing/pattern_counts.software.csv
figure_height = 470 + (exists("machines") ? words(machines) - 1 : 0) * 240
load 'figures/common/style.gp'
load 'figures/common/bars.gp'
if (n_machines == 1) { set label 999 gpu(1) } else { unset label 999 }
# Each machine's bar, then the software device's.
bars_side_by_side = n_machines + 1
last = n_machines + 1
hardware_of(m) = csv('coalescing/pattern_counts', word(machines, m))
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
key_lines = n_machines == 1 ? 1 : last; key_narrow_lines = last
load 'figures/common/key.gp'
plot for [m = 1:n_machines] hardware_of(m) using \
    (0):(column(0)):(0):(sectors(0)): \
    (bar_low(column(0), m)):(bar_high(column(0), m)) with boxxyerror \
    linecolor rgb bar_colour(m) title gpu(m) . ' (Nsight Compute)', \
  software using (0):(column(0)):(0):(sectors(0)): \
    (bar_low(column(0), last)):(bar_high(column(0), last)) with boxxyerror \
    linecolor rgb faded(role_software, 0.6) title 'software device', \
  for [m = 1:n_machines] hardware_of(m) using \
    (sectors(0)):(bar_middle(column(0), m)): \
    (sprintf('%.4g', sectors(0))) with labels left offset 0.5, 0 font tiny \
    textcolor rgb colour_ink, \
  software using (sectors(0)):(bar_middle(column(0), last)): \
    (sprintf('%.4g', sectors(0))) with labels left offset 0.5, 0 font tiny \
    textcolor rgb colour_muted
