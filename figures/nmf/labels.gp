# title: Unseen digits that are recognised, over the weight of the labels
# data: bench/nmf/labels.reference.csv
figure_height = 330
load 'figures/common/style.gp'
file = csv('nmf/labels', machine)
set xrange [-0.3:5.3]
set yrange [0:100]
set xtics ('none' 0, '1' 1, '2' 2, '4' 3, '8' 4, '16' 5)
set xlabel 'weight of the labels (logarithmic)'
set ylabel 'recognised, in %'
set rmargin at screen right_at(0.86)
unset key
place(w) = w < 1 ? 0 : 1 + log(w) / log(2)
sizes = '8 16 32'
do for [i = 1:3] {
  set label i word(sizes, i) . ' parts' at 5, real(cell(file, 'n_parts=' . \
    word(sizes, i) . ' label_weight=16', 'accuracy_mean')) * 100 left \
    offset 1.5, 0 textcolor rgb colour(i)
}
plot for [i = 1:3] rows(file, 'n_parts=' . word(sizes, i)) using \
  (place(column("label_weight")) + 0.07 * (i - 2)):(column("accuracy_mean") * 100): \
  (column("accuracy_least") * 100):(column("accuracy_most") * 100) \
  with yerrorlines linetype i notitle
