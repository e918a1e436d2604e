# title: The Mandelbrot set with the squares that cover it
# data: bench/dynamic/levels.software.csv
# picture: bench/dynamic/squares.png
figure_height = 560
load 'figures/common/style.gp'
unset border; unset tics; unset key; unset grid; unset label 999
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 2
set label 1 'orange: filled at once; grey: computed pixel by pixel' at graph 0.5, graph 0 \
  center offset 0, -1
set datafile separator whitespace
set size ratio -1
plot 'bench/dynamic/squares.png' binary filetype=png with rgbimage notitle
