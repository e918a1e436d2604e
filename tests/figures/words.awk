# words.awk: reads what `pdftotext -bbox` says of figures, a file each. Every
# word must be inside of its figure, and none may lie on another.

BEGIN {
  # Lines of the three sizes of letters (style.gp: text, small, tiny), points.
  em = 0.75 * 0.62 * 96 / 72; line = 1.432
  for (size = 10; size <= 13; size++)
    if (size != 12) lines[++n_sizes] = size * em * line
  slack = 1   # letters that go below their line seldom meet one
}

function value(key,   at) {
  at = index($0, key "=\"")
  return substr($0, at + length(key) + 2) + 0
}

function is_line(size,   i) {
  for (i = 1; i <= n_sizes; i++)
    if (size - lines[i] < 0.05 && lines[i] - size < 0.05) return 1
  return 0
}

FNR == 1 && file { end_figure() }
FNR == 1 { file = FILENAME; sub(/\.words$/, "", file); n = 0; n_figures++ }
/<page / { width = value("width"); height = value("height") }

# A line has room above its letters, 0.27 of it, and below, 0.07.
/<word / {
  n++
  n_words++
  word[n] = $0
  gsub(/<[^>]*>|^ */, "", word[n])
  left[n] = value("xMin"); right[n] = value("xMax")
  top[n] = value("yMin"); bottom[n] = value("yMax")
  if (is_line(bottom[n] - top[n])) {
    size = bottom[n] - top[n]
    top[n] += 0.27 * size; bottom[n] -= 0.07 * size
  } else if (is_line(right[n] - left[n])) {   # it reads upwards
    size = right[n] - left[n]
    left[n] += 0.27 * size; right[n] -= 0.07 * size
  } else {                                    # it climbs: its middle
    size = right[n] - left[n]; left[n] += size / 4; right[n] -= size / 4
    size = bottom[n] - top[n]; top[n] += size / 4; bottom[n] -= size / 4
  }
}

function end_figure(   i, k) {
  if (n == 0) complain("it has no words")
  for (i = 1; i <= n; i++) {
    if (left[i] < -0.1 || right[i] > width + 0.1 || top[i] < -0.1 ||
        bottom[i] > height + 0.1)
      complain(sprintf("\"%s\" sticks out: %.1f to %.1f of %.0f points " \
        "across, %.1f to %.1f of %.0f down", word[i], left[i], right[i],
        width, top[i], bottom[i], height))
    for (k = 1; k < i; k++)
      if (left[i] < right[k] - slack && left[k] < right[i] - slack &&
          top[i] < bottom[k] - slack && top[k] < bottom[i] - slack)
        complain(sprintf("\"%s\" lies on \"%s\" at %.0f, %.0f", word[i],
          word[k], left[i], top[i]))
  }
}

function complain(what) {
  printf "%s: %s\n", file, what
  n_bad++
}

END {
  if (file) end_figure()
  printf "%d words of %d figures, %d misplaced\n", n_words, n_figures, n_bad
  exit n_words == 0 || n_bad > 0
}
