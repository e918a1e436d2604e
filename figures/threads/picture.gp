# title: A photograph in grey, and its outlines
# data: bench/threads/outline_counts.software.csv
# picture: bench/threads/grey.png
# picture: bench/threads/outline.png
figure_height = 246
load 'figures/common/style.gp'
unset border; unset tics; unset key; unset grid; unset label 999
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0
set datafile separator whitespace
picture_height = 214.0 / figure_height
set multiplot
set size 0.49, picture_height
set origin 0, 0
set label 1 'to_grey' at graph 0, graph 1.06 left
plot 'bench/threads/grey.png' binary filetype=png with rgbimage notitle
set origin 0.51, 0
set label 1 'outline'
plot 'bench/threads/outline.png' binary filetype=png with rgbimage notitle
unset multiplot
