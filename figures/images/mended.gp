# title: The photograph with every tenth value spoilt, and mended by the median
# data: bench/images/pictures.software.csv
# picture: bench/images/noise.png
# picture: bench/images/noise_median.png
figure_height = 246
load 'figures/common/style.gp'
unset border; unset tics; unset key; unset grid; unset label 999
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0
set datafile separator whitespace
picture_height = 214.0 / figure_height
set multiplot
set size 0.49, picture_height
set origin 0, 0
set label 1 'every tenth value corrupted' at graph 0, graph 1.06 left
plot 'bench/images/noise.png' binary filetype=png with rgbimage notitle
set origin 0.51, 0
set label 1 'after the median filter'
plot 'bench/images/noise_median.png' binary filetype=png with rgbimage notitle
unset multiplot
