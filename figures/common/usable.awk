# Why a reader's result cannot be drawn: nothing if it can, else one line.
#
#   awk -v model=REFERENCE.csv -f usable.awk READERS.csv
#
# It must have all columns of the reference's file, and wherever each of the
# reference's cells is a number, a number; where a time or a rate is meant, one
# above 0. ./course bench writes it so, and ./course import lets nothing else in.

function is_number(text) {
  return text ~ /^[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?$/ ||
    text ~ /^[-+]?[0-9]+\.$/
}

function say(line, what) {
  print line ": " what
  said = 1
  exit
}

BEGIN {
  FS = ","
  while ((getline < model) > 0) {
    sub(/\r$/, "")
    if (/^#/ || /^[ \t]*$/) continue
    if (!n_model++) {
      n_columns = NF
      for (i = 1; i <= NF; i++) {
        wanted[i] = $i
        column[$i] = i
      }
      continue
    }
    for (name in column) {
      if (!is_number($column[name])) text[name] = 1
      else if ($column[name] <= 0) may_be_0[name] = 1
    }
  }
  close(model)
}

{ sub(/\r$/, "") }
/^#/ || /^[ \t]*$/ { next }

!n_names {
  n_names = NF
  for (i = 1; i <= NF; i++) {
    name_of[i] = $i
    here[$i] = i
  }
  for (i = 1; i <= n_columns; i++)
    if (!(wanted[i] in here))
      missing = missing (missing == "" ? "" : ", ") "'" wanted[i] "'"
  if (missing != "") say(FNR, "there is no column " missing)
  next
}

NF != n_names { say(FNR, NF " cells where the head names " n_names " columns") }

{
  n_rows++
  for (i = 1; i <= NF; i++) {
    name = name_of[i]
    if (!(name in column) || name in text) continue
    if (!is_number($i))
      say(FNR, "'" name "' is '" $i "', not a number")
    if ($i <= 0 && !(name in may_be_0) && name !~ /spread/ &&
        name ~ /(_us|_ms|_ns|_per_[a-z]+)$/)
      say(FNR, "'" name "' is " $i ", which no run can give")
  }
}

END { if (!said && !n_rows) print "1: it holds no row" }
