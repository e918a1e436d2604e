# From a trace (one row per warp and instruction, as the software device
# writes it) to shapes that gnuplot draws: instructions from left to right,
# lanes from top to bottom.
#
#   where    "column=value …": whose instructions, usually "warp=0"
#   paths    "24-27:1 29-33:2": source lines and the number of their path;
#            other lines are of path 0, and line 0 (no line information)
#            belongs to the path of the instruction before
#   from,to  show only these instructions, counted from 1 (default: all)
#   layer    what to print:
#     runs     x0,x1,lane,path,on   a lane takes part from x0 to x1; on is 0
#                                   where its predicate is false
#     spots    x,lane,tip           the middle of each run, and what is to be
#                                   said of it
#     names    one line             the opcodes, without their types
#     extent                        how many instructions are shown
#     summary                       one line of text

function fail(message) {
  printf "%s: error: %s\n", FILENAME, message > "/dev/stderr"
  failed = 1
  exit 1
}

function column_of(name) {
  if (!(name in column))
    fail("no column '" name "'; it has " header)
  return column[name]
}

# Is lane's bit set in 8 hexadecimal digits?
function bit(mask, lane,    digit) {
  digit = index("0123456789abcdef", substr(mask, 8 - int(lane / 4), 1)) - 1
  return int(digit / 2 ^ (lane % 4)) % 2
}

function path_of(line,    i) {
  for (i = 1; i <= n_ranges; i++)
    if (line >= low[i] && line <= high[i])
      return path_number[i]
  return 0
}

BEGIN {
  FS = ","
  n_ranges = split(paths, range, " ")
  for (i = 1; i <= n_ranges; i++) {
    split(range[i], parts, ":")
    path_number[i] = parts[2]
    split(parts[1], ends, "-")
    low[i] = ends[1] + 0
    high[i] = ends[2] + 0
  }
  if (!from)
    from = 1
}

/^#/ { next }

!header {
  header = $0
  for (i = 1; i <= NF; i++)
    column[$i] = i
  n_where = split(where, parts, " ")
  for (i = 1; i <= n_where; i++) {
    split(parts[i], pair, "=")
    where_column[i] = column_of(pair[1])
    where_value[i] = pair[2]
  }
  line_column = column_of("line")
  opcode_column = column_of("opcode")
  active_column = column_of("active_mask")
  executed_column = column_of("executed_mask")
  next
}

{
  for (i = 1; i <= n_where; i++)
    if ($(where_column[i]) != where_value[i])
      next
  if ($(line_column) > 0)
    path = path_of($(line_column))
  count++
  if (count < from || (to && count > to))
    next
  n++
  path_at[n] = path
  name[n] = $(opcode_column)
  active[n] = $(active_column)
  executed[n] = name[n] ~ /^(bra|brx|ret|exit)/ ? active[n] : $(executed_column)
  sub(/\..*/, "", name[n])
}

function end_run(lane, k) {
  if (start[lane] && layer == "spots")
    printf "%.1f,%d,%s\n", (start[lane] + k - 2) / 2, lane, \
      "instruction" (k - 1 > start[lane] ? "s " start[lane] " to " k - 1 : \
      " " start[lane]) (run_on[lane] ? "" : " not executed")
  else if (start[lane])
    printf "%d,%d,%d,%d,%d\n", start[lane] - 1, k - 1, lane, run_path[lane],
      run_on[lane]
  start[lane] = 0
}

function print_runs(    k, lane, on) {
  print layer == "spots" ? "x,lane,tip" : "x0,x1,lane,path,on"
  for (lane = 0; lane < 32; lane++) {
    for (k = 1; k <= n; k++) {
      on = bit(executed[k], lane)
      if (!bit(active[k], lane)) {
        end_run(lane, k)
        continue
      }
      if (start[lane] && (run_path[lane] != path_at[k] || run_on[lane] != on))
        end_run(lane, k)
      if (!start[lane]) {
        start[lane] = k
        run_path[lane] = path_at[k]
        run_on[lane] = on
      }
    }
    end_run(lane, n + 1)
  }
}

function summary(    k, lane, lanes) {
  for (k = 1; k <= n; k++)
    for (lane = 0; lane < 32; lane++)
      lanes += bit(executed[k], lane)
  printf "%d instructions, %.1f of 32 lanes active on average\n", n, lanes / n
}

END {
  if (failed)
    exit 1
  if (!n)
    fail("no row has " where)
  if (layer == "runs" || layer == "spots")
    print_runs()
  else if (layer == "names") {
    for (k = 1; k <= n; k++)
      printf "%s%s", name[k], k < n ? " " : "\n"
  } else if (layer == "extent")
    print n
  else
    summary()
}
