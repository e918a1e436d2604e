# The parts of vector addition against its size: both axes logarithmic, names at
# the ends of the reference's lines. The script sets file, steps (columns),
# names, inks, points, highest_step and lowest_step, and may set marks first;
# it plots after loading this.

# Both axes are logarithmic; whole powers of ten around the data.
first_n = lowest('kernels/size', 'n_elems')
last_n = highest('kernels/size', 'n_elems')
high = 10 ** ceil(log10(highest('kernels/size', highest_step)) + 0.2)
low = 10 ** floor(log10(lowest('kernels/size', lowest_step)))
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
