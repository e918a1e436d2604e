# Moves labels apart: heights (axis fractions from 0 to 1) to heights that
# are at least `gap` apart, in the same order and near where they were.
#
#   awk -v heights="0.9 0.88 0.2" -v gap=0.05 -f spread.awk

BEGIN {
  n = split(heights, h, " ")
  for (i = 1; i <= n; i++) order[i] = i
  for (i = 2; i <= n; i++)
    for (j = i; j > 1 && h[order[j]] < h[order[j - 1]]; j--) {
      swap = order[j]; order[j] = order[j - 1]; order[j - 1] = swap
    }
  # Groups of labels that touch share their distance around their middle.
  for (round = 0; round < 200; round++)
    for (i = 2; i <= n; i++) {
      short = gap - (h[order[i]] - h[order[i - 1]])
      if (short > 0) {
        h[order[i]] += short / 2
        h[order[i - 1]] -= short / 2
      }
    }
  for (i = 1; i <= n; i++)
    printf "%.4f%s", h[i], i < n ? " " : "\n"
}
