# The spreads of a CSV's times: of each column X_spread_us (or spread_us) in
# percent of its X_us (or time_us). FS = ",". `most`: percent above which a
# spread is wide, if it is above 1 us as well. Prints, if there are any times,
#   median <percent>
#   largest <percent>
#   wide <how many> <of how many>

/^#/ { next }

!n_columns {
  n_columns = NF
  for (i = 1; i <= NF; i++) at[$i] = i
  for (i = 1; i <= NF; i++) {
    base = $i
    if (base == "spread_us") base = "time_us"
    else if (!sub(/_spread_us$/, "_us", base)) continue
    if (base in at) of[i] = at[base]
  }
  next
}

{
  for (i in of) {
    if ($of[i] + 0 <= 0) continue
    percent = 100 * $i / $of[i]
    shares[++n] = percent
    if (percent > most && $i > 1) wide++
  }
}

END {
  if (!n) exit
  # Few enough: an experiment has hundreds of times, not thousands.
  for (i = 2; i <= n; i++) {
    share = shares[i]
    for (j = i - 1; j >= 1 && shares[j] > share; j--)
      shares[j + 1] = shares[j]
    shares[j + 1] = share
  }
  printf "median %.1f\nlargest %.1f\nwide %d %d\n",
    shares[int((n + 1) / 2)], shares[n], wide, n
}
