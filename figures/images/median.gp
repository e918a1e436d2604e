# title: Pixels per second of every version of the median filter
# data: bench/images/median.reference.csv
ladder_of = 'images/median'
ladder_y = 'gpixels_per_s'; ladder_scale = 1; ladder_digits = 0
ladder_unit = 'Gpixel/s'; ladder_best = 'copy'; ladder_share = 'of the copy'
ladder_steps = \
  '"copy|copy|16 bytes per thread: the ceiling" ' . \
  '"insertion|sort|every thread sorts its nine" ' . \
  '"tile|halo|a tile with its halo" ' . \
  '"counting|count|no branches: count the smaller" ' . \
  '"network|network|a network of comparators" ' . \
  '"columns|two|two channels in a word" ' . \
  '"strip|strip|four pixels per thread" ' . \
  '"inside|inside|edges only where there are some"'
load 'figures/common/ladder.gp'
