# Says in words where two tables of CSV differ: the second is the input, the
# first is the file `committed`. Prints at most 20 differences.

function tell(text) {
  if (n++ < 20)
    print "  " text
}

BEGIN {
  FS = ","
  while ((getline line < committed) > 0)
    rows[++n_rows] = line
  n_names = split(rows[1], names, ",")
}

NR > n_rows { next }

NR == 1 && $0 != rows[1] {
  tell("columns: " rows[1])
  tell("now:     " $0)
  exit
}

{
  split(rows[NR], old, ",")
  for (i = 1; i <= n_names; i++)
    if ($i != old[i])
      tell("row " NR - 1 " (" old[1] "): " names[i] " was " old[i] \
           ", is " $i)
}

END {
  if (NR != n_rows)
    tell("rows: there were " n_rows - 1 ", there are " NR - 1)
  if (n > 20)
    print "  … and " n - 20 " more"
}
