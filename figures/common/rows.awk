# Rows of a result CSV for a figure, chosen by column names.
#
#   where  "column=value column=value"; a value may be a|b for either
#   cell   print this column of the only matching row
#   values print the different values of this column
#   (neither) print the header and the matching rows
#
# A missing column or no matching row is an error: a figure must never be
# drawn from less than it says.

function fail(message) {
  printf "%s: error: %s\n", FILENAME, message > "/dev/stderr"
  failed = 1
  exit 1
}

function index_of(name) {
  if (!(name in column))
    fail("no column '" name "'; it has " header)
  return column[name]
}

function matches(   i) {
  for (i = 1; i <= n_tests; i++)
    if (index("|" wanted[i] "|", "|" $(tested[i]) "|") == 0)
      return 0
  return 1
}

BEGIN { FS = ","; OFS = "," }

/^#/ || /^[ \t\r]*$/ { next }
{ sub(/\r$/, "") }

header == "" {
  header = $0
  for (i = 1; i <= NF; i++)
    column[$i] = i
  n_tests = split(where, tests, " ")
  for (i = 1; i <= n_tests; i++) {
    split(tests[i], pair, "=")
    tested[i] = index_of(pair[1])
    wanted[i] = pair[2]
  }
  if (cell != "") picked = index_of(cell)
  else if (values != "") picked = index_of(values)
  else print
  next
}

matches() {
  n_rows++
  if (cell != "") {
    if (n_rows > 1)
      fail("several rows have " where "; one was expected")
    found = $picked
  } else if (values != "") {
    if (!seen[$picked]++)
      found = found (found == "" ? "" : " ") $picked
  } else {
    print
  }
}

END {
  if (failed) exit 1
  if (header == "") fail("no header line")
  if (n_rows == 0) fail("no row has " (where == "" ? "any value" : where))
  if (cell != "" || values != "") print found
}
