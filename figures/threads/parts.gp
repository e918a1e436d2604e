# title: Time of one grid against the number of multiprocessors
# data: bench/threads/parts.reference.csv
figure_height = 340
load 'figures/common/style.gp'
file = csv('threads/parts', machine)
set logscale xy 2
set xrange [6.5:highest('threads/parts', 'multiprocessors') * 1.2]
set xtics ()
do for [e = 3:8] { set xtics add (sprintf('%d', 2 ** e) 2 ** e) }
set format y '%g'
set xlabel 'multiprocessors (logarithmic)'
set ylabel 'time in ms (logarithmic)'
load 'figures/common/key.gp'
# As if all multiprocessors did all that the fewest did, and nothing was lost.
few = values(file, 'multiprocessors')
first = real(word(few, 1))
first_ms = 0.001 * real(cell(file, sprintf('multiprocessors=%d', first), \
  'time_us'))
plot first_ms * first / x with lines linecolor rgb colour_muted linewidth 1 \
    dashtype 2 title 'twice as many, half the time', \
  for [m = 1:n_machines] csv('threads/parts', word(machines, m)) using \
    (column("multiprocessors")):(0.001 * column("time_us")) with linespoints \
    linetype 1 linewidth weight(m) dashtype dash(m) \
    title m == 1 ? 'measured' : short_gpu(m)
