# title: Pixels per second of every version of the motion blur
# data: bench/images/motion.reference.csv
ladder_of = 'images/motion'
ladder_y = 'gpixels_per_s'; ladder_scale = 1; ladder_digits = 0
ladder_unit = 'Gpixel/s'; ladder_best = 'copy'; ladder_share = 'of the copy'
ladder_steps = \
  '"copy|copy|16 bytes per thread: the ceiling" ' . \
  '"bytes|row|one thread per pixel of three bytes" ' . \
  '"pixels|vector|pixels of four bytes" ' . \
  '"tile|halo|a tile with its halo" ' . \
  '"two_channels|two|two channels in a word" ' . \
  '"strip|strip|four pixels per thread" ' . \
  '"equal_weights|sum|equal weights added first" ' . \
  '"inside|inside|edges only where there are some"'
load 'figures/common/ladder.gp'
