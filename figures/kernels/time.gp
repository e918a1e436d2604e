# title: Time of vector addition on the CPU, by the kernel, and all the way
# data: bench/kernels/size.h200.csv
figure_height = 430
load 'figures/common/style.gp'
file = csv('kernels/size', machine)

# Ways: column, name, colour. The last two have all that the kernel needs
# around it, from the two kinds of host memory.
steps = 'cpu_us kernel_us total_us pinned_total_us'
names = '"CPU loop" "kernel" "all, pageable" "all, pinned"'
inks = role_cpu . ' ' . role_gpu . ' ' . colour_ink . ' ' . colour_3
points = '13 9 4 7'

highest_step = 'total_us'; lowest_step = 'cpu_us'
load 'figures/common/times.gp'

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
