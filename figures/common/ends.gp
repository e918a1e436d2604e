# Names at the ends of lines, to the right of the plot, instead of a key.
#
# Set before `load`: ends_n (how many), ends_y(i) (the value at the end of the
# i-th line), ends_name(i), ends_ink(i), and the axis as ends_low, ends_high
# and ends_log (1: logarithmic). Optional: ends_gap, the least distance of two
# names as a fraction of the axis. The right margin is the script's: as wide as
# the names.

if (!exists("ends_gap")) { ends_gap = 0.065 }
unset key
ends_places = ''
do for [i = 1:ends_n] {
  ends_places = ends_places . sprintf(' %.4f', ends_log ? \
    fraction_log(ends_y(i), ends_low, ends_high) : \
    fraction(ends_y(i), ends_low, ends_high))
}
ends_places = spread(ends_places, ends_gap)
do for [i = 1:ends_n] {
  set label i ends_name(i) at graph 1.02, \
    graph real(word(ends_places, i)) left textcolor rgb ends_ink(i)
}
