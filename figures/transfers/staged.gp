# title: Bandwidth of a copy by way of pinned buffers, against their size
# data: bench/transfers/staged.reference.csv
figure_height = 380
load 'figures/common/style.gp'
lines_of = 'transfers/staged'; lines_x = 'piece_bytes'; lines_y = 'gb_per_s'
lines_versions = 'two_buffers one_buffer threads_2 threads_4 threads_8'
lines_names = '"two buffers" "one buffer" "2 threads" "4 threads" "8 threads"'
lines_bytes = 1; lines_log = 0; lines_only = ''; lines_every = narrow ? 4 : 2
lines_low = 0; lines_high = highest('transfers/staged', 'gb_per_s') * 1.15
lines_driver = real(cell(csv('transfers/staged', machine), 'version=driver', \
  'gb_per_s'))
set lmargin at screen left_at(0.10); set rmargin at screen right_at(0.83)
set ylabel 'GB/s, host to device'
set xlabel 'bytes in one buffer (logarithmic)'
set arrow 1 from graph 0, first lines_driver to graph 1, first lines_driver \
  nohead dashtype '-' linecolor rgb role_ceiling
if (narrow) {     # there is no gap between the lines for it
  set label 20 "dashed:\ncudaMemcpy" at graph 0.03, graph 0.9 left font small
} else {
  set label 20 "cudaMemcpy, pageable" at graph 0.5, first lines_driver left \
    offset 0, (lines_driver < 0.1 * lines_high ? 0.6 : -0.6) font small
}
lines_from = 2 ** 14
load 'figures/common/lines.gp'
