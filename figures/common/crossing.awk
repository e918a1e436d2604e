# The first row from which on column `low` stays below column `high`: its
# value of column `x`, or "" when there is none.
#
#   awk -v x=n_elems -v low=kernel_us -v high=cpu_us -f crossing.awk CSV

function index_of(name) {
  if (!(name in column)) {
    printf "%s: error: no column '%s'; it has %s\n", FILENAME, name, header \
      > "/dev/stderr"
    exit 1
  }
  return column[name]
}

BEGIN { FS = "," }
/^#/ || /^[ \t\r]*$/ { next }
header == "" {
  header = $0
  sub(/\r$/, "")
  for (i = 1; i <= NF; i++) column[$i] = i
  at = index_of(x); a = index_of(low); b = index_of(high)
  next
}
$a < $b { if (found == "") found = $at; next }
{ found = "" }
END { print found }
