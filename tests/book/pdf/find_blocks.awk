# find_blocks.awk TEXT BLOCKS: every block of code (code_of_pages.awk) must
# stand in the PDF's text, its lines one after the other. Between two of them
# a page may end: footnotes, a running head and a figure may stand there.

BEGIN { most_between = 90 }

NR == FNR {
  # How often a line ran, 72×15.8.
  sub(/^[ \t\f]*[0-9]+\303\227[0-9.]+([ \t]|$)/, "")
  # The number of a callout, ① to ⑨; first, because the last byte of ① is one of
  # those of a space that does not break.
  sub(/^[ \t\f]*\342\221[\240-\250]/, "")
  gsub(/[ \t\f\302\240]/, "")
  if ($0 == "") next
  text[++n] = $0
  places[$0] = places[$0] " " n
  next
}

/^block / { check(); name = $2; n_lines = 0; next }

{ lines[++n_lines] = $0 }

END {
  check()
  printf "%d blocks of code, %d not whole\n", n_blocks, n_lost
  exit n_lost > 0 || n_blocks == 0
}

# How many of the lines follow each other when the first one is at `at`.
function follow(at,   k, i) {
  for (k = 2; k <= n_lines; k++) {
    for (i = at + 1; i <= at + most_between && i <= n; i++) {
      if (text[i] == lines[k]) break
    }
    if (i > at + most_between || i > n) return k - 1
    at = i
  }
  return n_lines
}

function check(   list, n_places, i, best, found) {
  if (n_lines == 0) return
  n_blocks++
  n_places = split(places[lines[1]], list, " ")
  best = 0
  for (i = 1; i <= n_places && best < n_lines; i++) {
    found = follow(list[i] + 0)
    if (found > best) best = found
  }
  if (best < n_lines) {
    n_lost++
    printf "%s: the line behind %d lines is not in the PDF:\n    %s\n", name,
      best, lines[best + 1]
  }
}
