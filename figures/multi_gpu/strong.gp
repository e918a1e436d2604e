# title: Speed-up by a second GPU against the size of the plate
# data: bench/multi_gpu/strong.referencex2.csv
figure_height = 330
load 'figures/common/style.gp'
lines_of = 'multi_gpu/strong'; lines_x = 'rows'; lines_y = 'speed_up'
lines_versions = 'copies overlap stores flags'
lines_names = '"copies" "overlap" "stores" "flags"'
lines_only = 'n_gpus=2'
lines_log = 0; lines_low = 0; lines_high = 2.1; lines_every = 1
set lmargin at screen 0.10; set rmargin at screen 0.86
set ylabel 'times as fast as one GPU'
set xlabel 'rows and columns of the plate (logarithmic)'
set arrow 900 from graph 0, first 2 to graph 1, first 2 nohead \
  linecolor rgb role_ceiling dashtype 2
load 'figures/common/lines.gp'
