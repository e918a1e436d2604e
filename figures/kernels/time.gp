# title: Time of vector addition on the CPU, by the kernel, and all the way
# data: bench/kernels/size.reference.csv
figure_height = 430
load 'figures/common/style.gp'
file = csv('kernels/size', machine)

# Ways: column, name, colour. The last two have all that the kernel needs
# around it, from the two kinds of host memory.
steps = 'cpu_us kernel_us total_us pinned_total_us'
names = '"CPU loop" "kernel" "all, pageable" "all, pinned"'
inks = role_cpu . ' ' . role_gpu . ' ' . colour_ink . ' ' . colour_3
points = '13 9 4 7'

# Both axes are logarithmic; whole powers of ten around the data.
first_n = lowest('kernels/size', 'n_elems')
last_n = highest('kernels/size', 'n_elems')
high = 10 ** ceil(log10(highest('kernels/size', 'total_us')) + 0.2)
low = 10 ** floor(log10(lowest('kernels/size', 'cpu_us')))
if (low < 0.1) { low = 0.1 }
set logscale x 2; set logscale y 10
set xrange [first_n:last_n * 1.01]; set yrange [low:high]
set xtics ()
do for [e = 0:40:2] { set xtics add (power(2, e) 2.0 ** e) }
set xlabel 'elements in each vector (logarithmic)'
set ytics ('0.1' 0.1, '1' 1, '10' 10, '100' 100, '1000' 1000)
do for [e = 4:9] { set ytics add (power(10, e) 10.0 ** e) }
set ylabel 'time in µs (logarithmic)'
set tmargin 1.5; set rmargin 15

# Names at the ends of the reference's lines.
named_n = extreme(file, 'n_elems', 0)
ends_n = words(steps); ends_log = 1; ends_gap = 0.058
ends_low = low; ends_high = high
ends_y(i) = real(cell(file, sprintf('n_elems=%.0f', named_n), word(steps, i)))
ends_name(i) = word(names, i)
ends_ink(i) = word(inks, i)
load 'figures/common/ends.gp'

# Where the GPU overtakes the CPU: its kernel alone, and with all around it if
# host memory is pinned.
named_power(n) = power(2, log(real(n)) / log(2) + 0.5)
turn = crossing(file, 'n_elems', 'kernel_us', 'cpu_us')
if (strlen(turn)) {
  set arrow 1 from first real(turn), graph 0 to first real(turn), graph 1 \
    nohead dashtype '-' linecolor rgb colour_muted
  set label 11 "kernel faster\nfrom " . named_power(turn) \
    at first real(turn), graph 0.95 offset 0.6, 0 font small
}
turn = crossing(file, 'n_elems', 'pinned_total_us', 'cpu_us')
if (strlen(turn)) {
  set arrow 2 from first real(turn), graph 0 to first real(turn), graph 1 \
    nohead dashtype '-' linecolor rgb colour_muted
  set label 12 "all faster, from\npinned memory,\nfrom " . \
    named_power(turn) at first real(turn), graph 0.22 offset 0.6, 0 font small
}

plot for [m = 1:n_machines] for [i = 1:words(steps)] \
  csv('kernels/size', word(machines, m)) \
  using (column("n_elems")):(column(word(steps, i))) with linespoints \
  linecolor rgb word(inks, i) pointtype int(word(points, i)) \
  pointsize 0.55 linewidth weight(m) dashtype dash(m) notitle
