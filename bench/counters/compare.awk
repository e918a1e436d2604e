# Compares the counts of the software device with a GPU's, launch by launch.
# Input: bench/counters/rules, then for each experiment the software device's
# CSV and the GPU's. Variables:
#
#   pairs  for each of these files after the rules, in order: slug/experiment
#   mode   kernels: a row of CSV for each kernel of each experiment
#          summary: a row of CSV for each counter
#          totals:  one row of CSV
#          text:    a table to read, of what differs
#   shown  text: how the GPU's counts are called
#
# Exit status of text: 1 if some difference is unexplained, 2 if there was
# nothing to compare.

function fail(message) {
  printf "%s: error: %s\n", FILENAME, message > "/dev/stderr"
  failed = 1
  exit 2
}

# --- rules ----------------------------------------------------------------

function read_rule(   name, i) {
  name = $1
  if (name == "why") {
    for (i = 3; i <= NF; i++)
      why[$2] = why[$2] " " $i
    return
  }
  if (name !~ /@/)
    counters[++n_counters] = name
  else
    own_rules[++n_own] = name
  group[name] = $2
  rule[name] = $3
  if ($3 == "ratio") {
    low[name] = $4; high[name] = $5; reason[name] = $6
  } else if ($3 == "above") {
    base[name] = $4; share[name] = $5; reason[name] = $6
  } else if ($3 == "at_least") {
    reason[name] = $4
  } else if ($3 != "equal") {
    fail("unknown rule '" $3 "'; there are: equal at_least above ratio")
  }
  if (!($2 in group_seen)) {
    group_seen[$2] = 1
    groups[++n_groups] = $2
  }
}

# --- one launch -----------------------------------------------------------

function of(side, row, name) {
  return cell[side, row, column[side, name]]
}

function base_of(row, name,   parts, n, i, sum) {
  n = split(base[name], parts, "+")
  for (i = 1; i <= n; i++)
    sum += of("software", row, parts[i])
  return sum
}

# A kernel may have a rule of its own for a counter; at its end a * stands
# for anything.
function rule_for(name, kernel,   own, i, known) {
  own = kernel
  gsub(SUBSEP, "/", own)
  own = name "@" own
  for (i = 1; i <= n_own; i++) {
    known = own_rules[i]
    if (known == own || (sub(/[*]$/, "", known) && index(own, known) == 1))
      return own_rules[i]
  }
  return name
}

# How the GPU's count fits: equal, explained or unexplained.
function verdict(row, name, ours, gpus) {
  if (ours == gpus)
    return "equal"
  if (rule[name] == "ratio" && ours > 0 && gpus >= low[name] * ours &&
      gpus <= high[name] * ours)
    return "explained"
  if (rule[name] == "at_least" && gpus > ours)
    return "explained"
  if (rule[name] == "above" && gpus > ours &&
      gpus - ours <= share[name] * base_of(row, name))
    return "explained"
  return "unexplained"
}

# What makes two launches the same: kernel, grid, block, and what the program
# said about them.
function same_launch(row,   i, name) {
  for (i = 1; i <= n_names["software"]; i++) {
    name = names["software", i]
    if (name in rule)
      break
    if (name != "launch" && ("gpu", name) in column && \
        of("software", row, name) != of("gpu", row, name))
      return 0
  }
  return 1
}

function note(row, name, kernel, ours, gpus,   how, d, at) {
  how = verdict(row, rule_for(name, kernel), ours, gpus)
  n_launches[name]++
  if (ours == 0 && gpus == 0) {
    n_unused[name]++
    return
  }
  n[name, how]++
  total[how]++
  at = kernel SUBSEP group[name]
  used[at] = 1
  if (how == "equal")
    return
  d = gpus - ours
  changed[at] = 1
  differing[kernel, name] = 1
  if (how == "unexplained") {
    strange[at] = 1
    if (n_strange++ < 20)
      strange_text[n_strange] = sprintf("%s, launch %d (%s): %s is %d, the " \
        "software device counts %d", pair, row, of("gpu", row, "kernel"),
        name, gpus, ours)
  }
  d = ours > 0 ? d / ours : 1
  if (!(name in largest) || d > largest[name]) largest[name] = d
  if (!(name in smallest) || d < smallest[name]) smallest[name] = d
  if (rule[name] == "above") {
    d = (gpus - ours) / base_of(row, name)
    if (d > most_share[name]) most_share[name] = d
  }
}

function compare_launch(row,   kernel, i, name, gpus, ours) {
  kernel = pair SUBSEP of("software", row, "kernel")
  if (!(kernel in launches))
    kernels[++n_kernels] = kernel
  launches[kernel]++
  n_compared++
  for (i = 1; i <= n_counters; i++) {
    name = counters[i]
    if (!(("software", name) in column) || !(("gpu", name) in column))
      continue
    gpus = of("gpu", row, name)
    if (gpus == "")
      continue
    ours = of("software", row, name)
    sum["software", kernel, name] += ours
    sum["gpu", kernel, name] += gpus
    note(row, name, kernel, ours + 0, gpus + 0)
  }
}

function compare_pair(   row, most) {
  if (!n_rows["software"] || !n_rows["gpu"])
    return
  most = n_rows["gpu"] < n_rows["software"] ? n_rows["gpu"] : \
    n_rows["software"]
  for (row = 1; row <= most; row++)
    if (same_launch(row))
      compare_launch(row)
    else
      n_other++
  n_other += n_rows["gpu"] + n_rows["software"] - 2 * most
}

# --- reading --------------------------------------------------------------

function forget() {
  split("", column)
  split("", cell)
  n_rows["software"] = n_rows["gpu"] = 0
}

BEGIN {
  n_files = split(pairs, pair_of, " ")
  machine_fields = split("gpu driver toolkit commit date", head_names, " ")
}

FNR == 1 && NR > 1 {
  if (n_read % 2 == 0 && n_read > 0)
    compare_pair()
  if (n_read % 2 == 0)
    forget()
  n_read++
  side = n_read % 2 ? "software" : "gpu"
  pair = pair_of[n_read]
  header = 1
  FS = ","
  $0 = $0
}

!n_read { sub(/#.*/, ""); if (NF) read_rule(); next }

/^# [a-z_]+: / {
  if (side == "gpu") {
    key = substr($0, 3, index($0, ":") - 3)
    value = substr($0, index($0, ":") + 2)
    if (key == "date") {
      newer = value > head["date"]
    }
    now[key] = value
  }
  next
}
/^#/ { next }

header {
  for (i = 1; i <= NF; i++) {
    column[side, $i] = i
    names[side, i] = $i
  }
  n_names[side] = NF
  header = 0
  if (side == "gpu" && now["date"] > head["date"])
    for (key in now)
      head[key] = now[key]
  next
}

{
  n_rows[side]++
  for (i = 1; i <= NF; i++)
    cell[side, n_rows[side], i] = $i
}

# --- writing --------------------------------------------------------------

function put_head(   i) {
  print "# machine: " head["machine"]
  print "# gpu: " head["gpu"]
  for (i = 2; i <= machine_fields; i++)
    print "# " head_names[i] ": " head[head_names[i]]
  print "# command: bench/counters/compare " mode
  print "# repetitions: 1"
}

# "equal", "none" where nothing of the kind happened, or how many times the
# software device's count the GPU's is, for the counter of the group that is
# furthest from equal. Where the software device counts nothing: how many.
function word(kernel, group_name,   at, i, name, ours, gpus, far, most, shown) {
  at = kernel SUBSEP group_name
  if (!(at in used))
    return "none"
  if (!(at in changed))
    return "equal"
  most = -1
  for (i = 1; i <= n_counters; i++) {
    name = counters[i]
    if (group[name] != group_name || !((kernel, name) in differing))
      continue
    ours = sum["software", kernel, name]
    gpus = sum["gpu", kernel, name]
    far = ours * gpus == 0 ? 1000 : log(gpus / ours)
    if (far < 0)
      far = -far
    if (far <= most)
      continue
    most = far
    shown = ours == 0 ? sprintf("+%d", gpus) : sprintf("%.2f", gpus / ours)
  }
  return shown (at in strange ? " (!)" : "")
}

# What the rules of a counter allow, all of them together: the widest bounds.
function allowed(name,   i, known, lowest, highest, any, extra) {
  lowest = highest = 1
  n_own_of = 0
  for (i = 0; i <= n_own; i++) {
    known = i == 0 ? name : own_rules[i]
    if (i > 0 && index(known, name "@") != 1)
      continue
    if (i > 0)
      n_own_of++
    if (rule[known] == "ratio" && low[known] < lowest) lowest = low[known]
    if (rule[known] == "ratio" && high[known] > highest) highest = high[known]
    if (rule[known] == "at_least") any = 1
    if (rule[known] == "above") extra = share[known]
  }
  known = any ? lowest " or more" : lowest == highest ? "equal" : \
    lowest " to " highest
  if (extra == "")
    return known
  extra = extra " of the wavefronts"
  return lowest == highest && !any ? "up to " extra : known " and " extra
}

function ratio(kernel,   ours) {
  ours = sum["software", kernel, "warp_instructions"]
  return ours ? sum["gpu", kernel, "warp_instructions"] / ours : 0
}

function put_kernels(   i, k, g, line, parts) {
  line = "slug,experiment,kernel,launches"
  for (g = 1; g <= n_groups; g++)
    line = line "," groups[g]
  print line ",instructions_ratio"
  for (i = 1; i <= n_kernels; i++) {
    k = kernels[i]
    split(k, parts, "[/" SUBSEP "]")
    line = parts[1] "," parts[2] "," parts[3] "," launches[k]
    for (g = 1; g <= n_groups; g++)
      line = line "," word(k, groups[g])
    printf "%s,%.3f\n", line, ratio(k)
  }
}

function put_summary(   i, name, bounds) {
  print "counter,rule,launches,unused,equal,explained,unexplained," \
    "lowest_ratio,highest_ratio,largest_share,own_rules,allowed,reason"
  for (i = 1; i <= n_counters; i++) {
    name = counters[i]
    bounds = allowed(name)
    printf "%s,%s,%d,%d,%d,%d,%d,%.4f,%.4f,%.4f,%d,%s,%s\n", name, rule[name],
      n_launches[name], n_unused[name], n[name, "equal"],
      n[name, "explained"], n[name, "unexplained"],
      1 + (smallest[name] < 0 ? smallest[name] : 0),
      1 + (largest[name] > 0 ? largest[name] : 0), most_share[name],
      n_own_of, bounds, reason[name] == "" ? "none" : reason[name]
  }
}

function put_totals() {
  print "kernels,launches,other_launches,counts,equal,explained,unexplained"
  printf "%d,%d,%d,%d,%d,%d,%d\n", n_kernels, n_compared, n_other,
    total["equal"] + total["explained"] + total["unexplained"],
    total["equal"], total["explained"], total["unexplained"]
}

function put_text(   because, told, i, k, c, name, parts, last, line) {
  printf "%-34s %14s %14s %9s\n", "launches of a kernel, added up", \
    "software", shown, "ratio"
  for (i = 1; i <= n_kernels; i++) {
    k = kernels[i]
    split(k, parts, SUBSEP)
    if (parts[1] != last)
      printf "\n%s\n", last = parts[1]
    printf "  %s (%d)\n", parts[2], launches[k]
    for (c = 1; c <= n_counters; c++) {
      name = counters[c]
      if (!sum["software", k, name] && !sum["gpu", k, name])
        continue
      line = sprintf("    %-30s %14d %14d", name, sum["software", k, name],
        sum["gpu", k, name])
      if (!((k, name) in differing)) {
        print line "     equal"
        continue
      }
      because = reason[rule_for(name, k)]
      told[because] = 1
      printf "%s %9s  %s\n", line, sum["software", k, name] ? sprintf("%.3f", \
        sum["gpu", k, name] / sum["software", k, name]) : "", \
        (k SUBSEP group[name]) in strange ? "see below" : because
    }
  }
  printf "\n%d kernels, %d launches: %d counts equal, %d explained, " \
    "%d unexplained\n", n_kernels, n_compared, total["equal"], \
    total["explained"], total["unexplained"]
  if (n_other)
    printf "%d launches are not the same on both sides and were left out\n",
      n_other
  for (because in why)
    if (because in told)
      printf "%s:%s\n", because, why[because]
  for (i = 1; i <= n_strange && i <= 20; i++)
    print strange_text[i]
}

END {
  if (failed)
    exit 2
  if (n_read > 0)
    compare_pair()
  if (mode == "text") {
    put_text()
    exit n_compared == 0 ? 2 : total["unexplained"] > 0
  }
  put_head()
  if (mode == "kernels") put_kernels()
  else if (mode == "summary") put_summary()
  else put_totals()
}
