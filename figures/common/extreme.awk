# The largest (or with -v least=1 the smallest) value of a column in all the
# given CSVs.
#
#   awk -v column=gb_per_s -f extreme.awk CSV…

BEGIN { FS = "," }
/^#/ || /^[ \t\r]*$/ { next }
file != FILENAME {
  file = FILENAME
  at = 0
  sub(/\r$/, "")
  for (i = 1; i <= NF; i++)
    if ($i == column) at = i
  if (!at) {
    printf "%s: error: no column '%s'; it has %s\n", FILENAME, column, $0 \
      > "/dev/stderr"
    exit 1
  }
  next
}
found == "" || (least ? $at + 0 < found : $at + 0 > found) { found = $at + 0 }
END { print found }
