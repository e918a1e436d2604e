# The kernels of the book as points of the rooflines. Input: lines of
#
#   slug counts times counted timed only software.csv gpu.csv times.csv
#
# separated by tabs (see bench/roofline/kernels; gpu.csv: counts of the GPU,
# or - for none). Variables: ceilings, the CSV of the experiment of that name;
# table, what to call the file of the lines.
#
# One row for each version: what one launch of the timed size does
# (floating-point operations, bytes of the sectors that it asks for, warp
# instructions), its time, and both in relation to the ceilings. gips:
# thousand million warp instructions a second.

function fail(message) {
  printf "%s: error: %s\n", table, message > "/dev/stderr"
  failed = 1
  exit 1
}

# Reads a CSV into cell[name, row, column]; the head's lines into head[name].
function read_csv(name, path,   line, parts, i, n_read) {
  n_rows[name] = 0
  n_names[name] = 0
  while ((n_read = (getline line < path)) > 0) {
    if (line ~ /^# [a-z_]+: /) {
      i = index(line, ": ")
      head[name, substr(line, 3, i - 3)] = substr(line, i + 2)
    } else if (line !~ /^#/ && !n_names[name]) {
      n_names[name] = split(line, parts, ",")
      for (i = 1; i <= n_names[name]; i++)
        names[name, i] = parts[i]
    } else if (line !~ /^#/) {
      n_rows[name]++
      split(line, parts, ",")
      for (i = 1; i <= n_names[name]; i++)
        cell[name, n_rows[name], names[name, i]] = parts[i]
    }
  }
  close(path)
  if (n_read < 0)
    fail("cannot read " path)
}

function forget(   key) {
  for (key in cell)
    if (key !~ "^ceilings" SUBSEP)
      delete cell[key]
}

function column(name, row, what) {
  if (!((name, row, what) in cell))
    fail(slug ": no column '" what "' in " path[name])
  return cell[name, row, what]
}

# "32*n_warps" of a row.
function size(name, row, text,   parts, n, i, product) {
  n = split(text, parts, "*")
  product = 1
  for (i = 1; i <= n; i++)
    product *= parts[i] ~ /^[0-9]+$/ ? parts[i] : column(name, row, parts[i])
  return product
}

# The rows of this version that meet all conditions, in the order of the file,
# joined by blanks; "": none. Only launches that are to be added may be several
# (column=*): rows that differ in that column of the counts.
function rows_of(name, version, only,   row, tests, pair, n, i, fits, found,
                 several, seen, what) {
  n = only == "-" ? 0 : split(only, tests, ",")
  for (row = 1; row <= n_rows[name]; row++) {
    fits = column(name, row, "version") == version
    several = ""
    for (i = 1; fits && i <= n; i++) {
      split(tests[i], pair, "=")
      if (pair[2] != "*")
        fits = column(name, row, pair[1]) == pair[2]
      else if (name != "times")
        several = several " " column(name, row, pair[1])
    }
    if (!fits)
      continue
    if (several in seen)
      fail(slug ": several rows of version " version " in " path[name] \
        "; add a condition")
    seen[several] = 1
    found = found == "" ? row : found " " row
  }
  return found
}

# The sum of a column over such rows.
function total(name, rows, what,   each, n, i, sum) {
  n = split(rows, each, " ")
  for (i = 1; i <= n; i++)
    sum += column(name, each[i], what)
  return sum
}

function rate(version, unit,   row) {
  row = rows_of("ceilings", version, "-")
  if (row == "")
    fail("no ceiling '" version "' in " ceilings)
  return cell["ceilings", row, unit]
}

# A rate of a slow machine is not 0.
function rounded(value, digits,   text) {
  text = sprintf("%." digits "f", value)
  return value > 0 && text + 0 == 0 ? sprintf("%.3g", value) : text
}

function put(version, ours, gpus, timed, scale,   flop, sectors, n, us,
             gflop, gb, gips, intensity, roof, share) {
  flop = (total("software", ours, "flop_f32") + \
    total("software", ours, "flop_f64")) * scale
  sectors = (total("software", ours, "ld_sectors") + \
    total("software", ours, "st_sectors") + \
    total("software", ours, "atomic_sectors")) * scale
  n = (gpus != "" ? total("gpu", gpus, "warp_instructions") : \
    total("software", ours, "warp_instructions")) * scale
  us = column("times", timed, "time_us")
  if (us <= 0 || sectors <= 0)
    return
  gflop = flop / us / 1000
  gb = 32 * sectors / us / 1000
  gips = n / us / 1000
  intensity = flop / (32 * sectors)
  roof = intensity * memory
  roof = roof < fp32 ? roof : fp32
  share = ""
  if (roof > 0)
    share = sprintf("%.4f", gflop / roof)
  printf "%s,%s,%s,%.0f,%.0f,%.0f,%.3f,%.5f,%s,%s,%.4f,%s,%.4f,%.4f," \
    "%s\n", slug, experiment, version, flop, 32 * sectors, n, us, intensity,
    rounded(gflop, 1), rounded(gb, 1), n / sectors, rounded(gips, 2), gb / memory, gips / issue, share
}

BEGIN {
  FS = "\t"
  read_csv("ceilings", ceilings)
  path["ceilings"] = ceilings
  memory = rate("memory_copy", "gb_per_s")
  fp32 = rate("fp32_fma", "gflop_per_s")
  # An FP32 fused multiply-add of a warp is 64 operations.
  issue = fp32 / 64
  split("machine gpu compute_capability driver toolkit commit date", keys, " ")
  for (i = 1; i in keys; i++)
    print "# " keys[i] ": " head["ceilings", keys[i]]
  print "# command: bench/roofline/points"
  print "# repetitions: " head["ceilings", "repetitions"]
  print "slug,experiment,version,n_flop,n_bytes,warp_instructions,time_us," \
    "flop_per_byte,gflop_per_s,gb_per_s,instructions_per_sector,gips," \
    "memory_share,issue_share,roof_share"
}

{
  slug = $1
  experiment = $3
  forget()
  path["software"] = $7
  path["gpu"] = $8
  path["times"] = $9
  read_csv("software", $7)
  n_rows["gpu"] = 0
  if ($8 != "-")
    read_csv("gpu", $8)
  read_csv("times", $9)
  n_found = 0
  for (row = 1; row <= n_rows["times"]; row++) {
    version = column("times", row, "version")
    timed = rows_of("times", version, $6)
    if (timed != row)
      continue
    ours = rows_of("software", version, $6)
    if (ours == "")
      continue
    n_found++
    put(version, ours, $8 == "-" ? "" : rows_of("gpu", version, $6), timed,
      size("times", timed, $5) / size("software", ours + 0, $4))
  }
  if (!n_found)
    fail(slug ": no version is both in " $7 " and in " $9)
}

END { exit failed }
