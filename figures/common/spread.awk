# Moves labels apart: heights (axis fractions from 0 to 1) to heights that
# are at least `gap` apart, in the same order and near where they were. Where
# many lie at one end of the axis, none is pushed beyond it by more than `over`.
#
#   awk -v heights="0.9 0.88 0.2" -v gap=0.05 -f spread.awk

BEGIN {
  n = split(heights, h, " ")
  for (i = 1; i <= n; i++) order[i] = i
  for (i = 2; i <= n; i++)
    for (j = i; j > 1 && h[order[j]] < h[order[j - 1]]; j--) {
      swap = order[j]; order[j] = order[j - 1]; order[j - 1] = swap
    }
  h_least = h[order[1]]
  h_most = h[order[n]]
  # Groups of labels that touch share their distance around their middle.
  for (round = 0; round < 200; round++)
    for (i = 2; i <= n; i++) {
      short = gap - (h[order[i]] - h[order[i - 1]])
      if (short > 0) {
        h[order[i]] += short / 2
        h[order[i - 1]] -= short / 2
      }
    }
  # Back from beyond the ends, the others making way.
  over = 0.4 * gap
  least = (h_least < 0 ? h_least : 0) - over / 4
  most = (h_most > 1 ? h_most : 1) + over
  if (n > 0 && n * gap < most - least) {
    for (i = n; i >= 1; i--) {
      if (h[order[i]] > most) h[order[i]] = most
      most = h[order[i]] - gap
    }
    for (i = 1; i <= n; i++) {
      if (h[order[i]] < least) h[order[i]] = least
      least = h[order[i]] + gap
    }
  }
  for (i = 1; i <= n; i++)
    printf "%.4f%s", h[i], i < n ? " " : "\n"
}
