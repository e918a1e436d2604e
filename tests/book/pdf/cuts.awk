# cuts.awk: reads `pdftotext -layout`. What is cut where a page ends must say
# so on both pages, and no table's head may stand above its caption.

{ n_ends = gsub(/\f/, "") }

n_ends {
  end_page()
  page += n_ends
}

/^ *$/ { next }

{ line[++n] = $0; gsub(/[ \t]+/, " ", line[n]) }

/ continues on the next page$|^ *continues on the next page$/ { leaves = 1 }
/^ *(Listing [0-9A-Z]+\.[0-9]+|Output)?, continued$/ { arrives = 1 }

function end_page(   i, k) {
  if (arrives != left_open) {
    printf "page %d: a listing %s\n", page + 1,
      arrives ? "is continued that did not leave page " page : \
      "should be continued here from page " page
    n_bad++
  }
  n_cut += leaves
  left_open = leaves
  arrives = leaves = 0
  for (i = 2; i <= n; i++) {
    if (line[i] !~ /^ ?Table [0-9A-Z]+\.[0-9]+ /) continue
    n_tables++
    # The source of the table above is that of a short table, too.
    if (line[i - 1] ~ /, [0-9]+-[0-9]+-[0-9]+, /) continue
    for (k = i + 1; k <= i + 4 && k <= n; k++) {
      if (line[k] == line[i - 1]) {
        printf "page %d: a head above its caption:%s\n", page + 1, line[i]
        n_bad++
      }
    }
  }
  n = 0
}

END {
  end_page()
  printf "%d listings cut, %d tables, %d wrong\n", n_cut, n_tables, n_bad
  exit n_cut == 0 || n_tables == 0 || n_bad > 0
}
