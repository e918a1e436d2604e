# title: Times of the copies and of the kernel of vector addition
# data: bench/kernels/size.h200.csv
figure_height = 430
load 'figures/common/style.gp'
file = csv('kernels/size', machine)

# Both copies from both kinds of host memory, and the kernel between them.
steps = 'copy_in_us copy_out_us pinned_copy_in_us ' . \
  'pinned_copy_out_us kernel_us'
names = '"in, pageable" "out, pageable" "in, pinned" "out, pinned" "kernel"'
inks = colour_ink . ' ' . colour_4 . ' ' . colour_1 . ' ' . colour_3 . ' ' . \
  colour_2
points = '4 13 7 5 9'
highest_step = 'copy_in_us'; lowest_step = 'kernel_us'
load 'figures/common/times.gp'

plot for [m = 1:n_machines] for [i = 1:words(steps)] \
  csv('kernels/size', word(machines, m)) \
  using (column("n_elems")):(column(word(steps, i))) with linespoints \
  linecolor rgb word(inks, i) pointtype int(word(points, i)) \
  pointsize 0.55 linewidth weight(m) dashtype dash(m) notitle
