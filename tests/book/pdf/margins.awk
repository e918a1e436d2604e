# margins.awk: reads `pdftotext -bbox` and wants every word inside of the
# text's width, and every page to have words: only the left page before the
# first part stays empty if the contents end on a right one. Points; the sizes are those of
# book/latex/warpbook.sty: 140 mm of text, 22 mm from the inner edge. The number of
# a callout, ① to ⑨, is beside its line, 15 points further out at most, and how
# often a line ran, 72×15.8, 46 points.

BEGIN { point = 72 / 25.4; slack = 3 }

function value(key,   at) {
  at = index($0, key "=\"")
  return substr($0, at + length(key) + 2) + 0
}

function end_page() {
  if (page > 1 && n_words == 0 && page % 2 == 0 && !n_parts) {
    before_part = page
  } else if (page > 1 && n_words < 5) {
    printf "page %d is empty\n", page
    n_empty++
  }
}

/<page / {
  if (page) end_page()
  page++
  n_words = 0
  left = (page % 2 ? 22 : 20) * point
  right = left + 140 * point
}

/<word / {
  n_words++
  if (n_words == 1 && page > 2 && />Part</) n_parts++
  if (n_words == 1 && before_part == page - 1 && page > 2 && n_parts != 1) {
    printf "page %d is empty\n", before_part
    n_empty++
  }
  # The title page has its own margins.
  if (page == 1) next
  beside = />\342\221[\240-\250]</ ? 15 : />[0-9]+\303\227[0-9.]+</ ? 46 : 0
  if (value("xMin") < left - beside - slack || value("xMax") > right + slack ||
      value("yMin") < 8 * point || value("yMax") > 249 * point) {
    word = $0
    gsub(/<[^>]*>/, "", word)
    if (n_out++ < 20) {
      printf "page %d: \"%s\" sticks out (%.0f to %.0f, text %.0f to %.0f)\n",
        page, word, value("xMin"), value("xMax"), left, right
    }
  }
}

END {
  end_page()
  printf "%d pages, %d empty, %d words outside\n", page, n_empty, n_out
  exit page == 0 || n_empty > 0 || n_out > 0
}
