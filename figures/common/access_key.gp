# The legend of access_global.gp, at the foot of a figure: set map_bottom and
# map_top first.

unset border; unset tics; unset key; unset grid; unset label; unset object
set lmargin at screen 0.012; set rmargin at screen 0.988
set bmargin at screen map_bottom; set tmargin at screen map_top
set xrange [0:1]; set yrange [0:1]
map_sample = 1.0 / 32
set object 1 rectangle from 0, 0.2 to map_sample, 0.8 fillstyle solid 1 \
  border rgb colour_ink fillcolor rgb colour_1
set label 1 'bytes that a lane uses' at map_sample * 1.3, 0.47 left font small
set object 2 rectangle from 0.29, 0.2 to 0.29 + map_sample, 0.8 fillstyle \
  solid 1 border rgb colour_ink fillcolor rgb faded(colour_1, 0.3)
set label 2 'moved with them: rest of the sector' \
  at 0.29 + map_sample * 1.3, 0.47 left font small
set object 3 rectangle from 0.75, 0.2 to 0.75 + map_sample, 0.8 fillstyle \
  empty border rgb colour_ink
set label 3 'sector not moved' at 0.75 + map_sample * 1.3, 0.47 left font small
plot 2 linecolor rgb colour_ink
unset object
