# The cells, rows, columns and head of each file of a set; see check_set, which
# sets these variables and writes the names of the files, one to a line, to
# standard input:
#
#   bench, reference   where the reference's files are, and its name
#   machine            whose set this is
#   style              "folder" (<slug>/<name>.csv) or "bench" (….<machine>.csv)
#   complete           yes: as for results that go into the repository
#   shown              yes: only what the book would show wrongly; neither the
#                      head nor a version that is missing
#   commits            a file to write "commit<tab>file" to, for git to look up
#
# Prints each fault as "file:line: error: …", and below the faults of a file
# what to do about them.

# --- faults ---------------------------------------------------------------

# Of one kind a few are enough to see what is wrong: a column's name stands for
# its cells, "" for what is said once.
function fault(line, kind, text) {
  n_faults++
  if (kind != "" && ++n_of_kind[kind] > 3)
    return
  print file (line ? ":" line : "") ": error: " text
}

function remedy() {
  print "  measured on '" machine "'; measure it again there (./course bench" \
    " --again " slug "),\n  or remove the file, and the book shows the" \
    " other results"
}

function end_file(    kind) {
  for (kind in n_of_kind)
    if (n_of_kind[kind] > 3)
      print file ": error: and " (n_of_kind[kind] - 3) " more of these: " kind
  if (n_faults)
    remedy()
}

# --- numbers ----------------------------------------------------------------

function is_number(text) {
  return text ~ /^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$/
}

# What the last digit of a printed number stands for: 0.001 of 1.500.
function last_digit(text,    point) {
  if (text ~ /[eE]/)
    return 0
  point = index(text, ".")
  return point ? 10 ^ (point - length(text)) : 1
}

# Names of columns whose values are never 0: how long something took, how much
# of it was done in a time. A spread may be 0, and so may a moment.
function is_time_or_rate(name) {
  return (name ~ /(^|_)(ns|us|ms|seconds|hours)$/ || name ~ /_per_/ ||
          name ~ /^(share_of_|clock_)/) && name !~ /(^|_)spread(_|$)/ &&
    name !~ /^(at|began|begin|between|end|ended|finished|returned|start)_/
}

# --- the reference's file -------------------------------------------------

# What its columns hold, which is what others' may hold.
function read_model(path,    line, cell, n, i) {
  split("", model_has)
  split("", model_smallest)
  split("", model_names)
  model_columns = ""
  n_model = 0
  while ((getline line < path) > 0) {
    if (line ~ /^#/)
      continue
    n = split(line, cell, ",")
    if (model_columns == "") {
      model_columns = line
      n_model_columns = split(line, model_column, ",")
      continue
    }
    n_model++
    if (!is_number(cell[1]))
      model_names[cell[1]] = 1
    for (i = 1; i <= n; i++) {
      model_cell[n_model, i] = cell[i]
      look_at_model_cell(i, cell[i])
    }
  }
  close(path)
}

function look_at_model_cell(i, text,    size) {
  if (text == "") {
    model_has[i, "empty"] = 1
  } else if (!is_number(text)) {
    model_has[i, "text"] = 1
    model_has[i, "text " text] = 1
  } else {
    model_has[i, "number"] = 1
    if (text < 0)
      model_has[i, "negative"] = 1
    if (text == 0)
      model_has[i, "zero"] = 1
    size = text == 0 || !last_digit(text) ? 1e9 : text / last_digit(text)
    if (!(i in model_smallest) || size < model_smallest[i])
      model_smallest[i] = size
  }
}

# --- cells ------------------------------------------------------------------

# What is wrong with a cell of column i; "" if nothing. A machine that is a
# hundred times slower may print a small rate as 0.
function fault_of_cell(i, text) {
  if (text == "")
    return model_has[i, "empty"] || !n_model ? "" : "is empty"
  if ((i, "text " text) in model_has)
    return ""
  if (tolower(text) ~ /^[-+]?(nan|inf|infinity)(\(.*\))?$/)
    return "is '" text "'"
  if (!is_number(text))
    return model_has[i, "number"] && !model_has[i, "text"] \
      ? "is '" text "', which is not a number" : ""
  if (text < 0 && model_has[i, "number"] && !model_has[i, "negative"])
    return "is " text ", below 0"
  if (text == 0 && is_time_or_rate(column[i]) && !model_has[i, "zero"] &&
      model_smallest[i] >= 100)
    return "is " text ", and a time or a rate is never 0"
  return ""
}

function check_row(line_number, text,    n, i, why) {
  n = split(text, cell, ",")
  n_rows++
  if (n != n_columns) {
    fault(line_number, "values for each row", "row " n_rows " (" cell[1] ") has " n \
      " values for " n_columns " columns" \
      (n < n_columns ? ": it was cut off" : ""))
    n_broken++
    return
  }
  if (!is_number(cell[1]))
    names[cell[1]] = line_number
  for (i = 1; i <= n; i++) {
    cells[n_rows, i] = cell[i]
    why = fault_of_cell(i, cell[i])
    if (why != "") {
      n_broken++
      fault(line_number, column[i],
            "row " n_rows " (" cell[1] "): " column[i] " " why)
    }
  }
  line_of[n_rows] = line_number
}

# The first line of the table against the reference's.
function check_columns(line_number, text,    i, there, known) {
  n_columns = split(text, column, ",")
  if (model_columns == "" || text == model_columns)
    return
  n_faults_before = n_faults
  for (i = 1; i <= n_columns; i++)
    there[column[i]] = 1
  for (i = 1; i <= n_model_columns; i++) {
    known[model_column[i]] = 1
    if (!(model_column[i] in there))
      fault(line_number, "", "the column " model_column[i] " is missing")
  }
  for (i = 1; i <= n_columns; i++)
    if (!(column[i] in known))
      fault(line_number, "", "the reference has no column '" column[i] "'")
  fault(line_number, "", "its columns are not those of the reference: " \
    model_columns)
}

# --- shares -----------------------------------------------------------------

# A column share_of_X is a rate divided by X's rate, both of which the same
# table holds. Which rate it is and where X's stands differs: this finds the
# reading that is true of the reference, and asks whether it is true here.
#
#   column   X's rate is the column X_gb_per_s
#   row      it is in the row of version X whose sizes are most alike
#   ratio    it is in no cell, but the same for all rows of a direction
#   passes   a ceiling is a copy for each pass: share_of_copy times n_passes
#
# Cells are taken out of `from`: "model" or "set".

function at(from, row, i) {
  return from == "model" ? model_cell[row, i] : cells[row, i]
}

# The rate of a row: a column of rates, or what a time leaves of one.
function rate_at(from, row, i,    value) {
  value = at(from, row, i)
  if (!is_number(value) || value == 0)
    return 0
  return column[i] ~ /_per_/ ? value : 1 / value
}

# How far rounding may have moved it, as a part of it.
function rounding_at(from, row, i,    value) {
  value = at(from, row, i)
  return value == 0 ? 0 : last_digit(value) / 2 / value
}

function is_size(name) {
  return !is_time_or_rate(name) && name !~ /spread|repetitions|version/
}

# The row of the version X that is most like this one.
function base_row(from, n, row, x,    r, i, alike, most, best) {
  most = -1
  for (r = 1; r <= n; r++) {
    if (at(from, r, 1) != x)
      continue
    alike = 0
    for (i = 2; i <= n_columns; i++)
      if (is_size(column[i]) && at(from, r, i) == at(from, row, i))
        alike++
    if (alike > most) {
      most = alike
      best = r
    }
  }
  return most < 0 ? 0 : best
}

# Is share column s of this row what the reading says? 1 yes, 0 no, -1 the row
# does not tell.
function share_holds(from, n, row, s, reading, rate, x,
                     share, base, value, off, r, direction) {
  share = at(from, row, s)
  if (reading == "passes")
    value = at(from, row, rate) * at(from, row, passes_column)
  else
    value = rate_at(from, row, rate)
  if (!is_number(share) || share == 0 || value == 0)
    return -1
  off = rounding_at(from, row, rate)
  base = 1
  if (reading == "row") {
    r = base_row(from, n, row, x)
    if (!r)
      return -1
    base = rate_at(from, r, rate)
    off += rounding_at(from, r, rate)
  } else if (reading == "column") {
    base = rate_at(from, row, base_column)
    off += rounding_at(from, row, base_column)
  } else if (reading == "ratio") {
    direction = direction_column ? at(from, row, direction_column) : ""
    base = common_base[from, direction]
    off += common_off[from, direction]
  }
  if (base == 0)
    return -1
  off = share * off + last_digit(share) * 0.51
  return share - value / base <= off && value / base - share <= off
}

# For "ratio": the rate of X that a row's share comes to, the median of all rows
# of a direction, so that one row that is wrong is the one that stands out.
function find_common(from, n, s, rate,    row, share, value, direction, many,
                     middle, i, base, off, bases, offs) {
  for (row = 1; row <= n; row++) {
    share = at(from, row, s)
    value = rate_at(from, row, rate)
    if (!is_number(share) || share == 0 || value == 0)
      continue
    direction = direction_column ? at(from, row, direction_column) : ""
    base = value / share
    off = rounding_at(from, row, rate) + last_digit(share) / 2 / share
    for (i = ++many[direction]; i > 1 && bases[direction, i - 1] > base; i--) {
      bases[direction, i] = bases[direction, i - 1]
      offs[direction, i] = offs[direction, i - 1]
    }
    bases[direction, i] = base
    offs[direction, i] = off
  }
  for (direction in many) {
    middle = int((many[direction] + 1) / 2)
    common_base[from, direction] = bases[direction, middle]
    common_off[from, direction] = offs[direction, middle]
  }
}

# In how many of the reference's rows the reading holds, in percent; 0 if it is
# not true of nine in ten, or of all but one.
function holds_in_model(s, reading, rate, x,    row, told, yes, said) {
  for (row = 1; row <= n_model; row++) {
    said = share_holds("model", n_model, row, s, reading, rate, x)
    if (said < 0)
      continue
    told++
    yes += said
  }
  return told >= 2 && (yes >= 0.9 * told || told - yes <= 1 && told > 2) \
    ? 100 * yes / told : 0
}

function check_shares(    s, x, i) {
  direction_column = passes_column = 0
  for (i = 1; i <= n_columns; i++) {
    if (column[i] == "direction")
      direction_column = i
    if (column[i] == "n_passes")
      passes_column = i
  }
  for (s = 1; s <= n_columns; s++) {
    if (column[s] !~ /^share_of_/)
      continue
    x = substr(column[s], 10)
    base_column = 0
    for (i = 1; i <= n_columns; i++)
      if (column[i] == x "_gb_per_s")
        base_column = i
    check_share_column(s, x)
  }
}

# The reading that is true of most of the reference's rows.
function check_share_column(s, x,    n, readings, k, rate, percent, best,
                            best_reading, best_rate, row) {
  n = split("column row ratio passes", readings, " ")
  best = 0
  for (k = 1; k <= n; k++)
    for (rate = n_columns; rate >= 1; rate--) {
      if (!may_be_read(readings[k], rate, x))
        continue
      find_commons(s, rate)
      percent = holds_in_model(s, readings[k], rate, x)
      if (percent > best) {
        best = percent
        best_reading = readings[k]
        best_rate = rate
      }
    }
  if (list_shares)
    print "share: " slug "/" name " " column[s] " " \
      (best_rate ? best_reading " " column[best_rate] : "unknown")
  if (!best_rate)
    return
  find_commons(s, best_rate)
  for (row = 1; row <= n_rows; row++)
    check_share(row, s, best_reading, best_rate, x)
}

function may_be_read(reading, rate, x) {
  if (reading == "passes")
    return x == "ceiling" && column[rate] == "share_of_copy" && passes_column
  return is_time_or_rate(column[rate]) && column[rate] !~ /^share_of_/ &&
    rate != base_column && (reading != "column" || base_column)
}

function find_commons(s, rate) {
  split("", common_off)
  split("", common_base)
  find_common("model", n_model, s, rate)
  find_common("set", n_rows, s, rate)
}

function check_share(row, s, reading, rate, x) {
  if (share_holds("set", n_rows, row, s, reading, rate, x) != 0)
    return
  fault(line_of[row], column[s], "row " row " (" cells[row, 1] "): " \
    column[s] " is " cells[row, s] ", which contradicts " column[rate] \
    " of the same table (" cells[row, rate] ")")
}

# --- files ------------------------------------------------------------------

function check_head(    i, lacking) {
  for (i = 1; i <= n_keys; i++)
    if (head[keys[i]] == "")
      lacking = lacking (lacking == "" ? "'" : ", '") keys[i] "'"
  if (lacking != "")
    fault(0, "", "the head has no " lacking "; measure it with" \
      " ./course bench")
  if (head["machine"] != "" && head["machine"] != machine)
    fault(0, "", "it was measured on '" head["machine"] "', not on '" \
      machine "'")
  if (complete != "yes")
    return
  if (head["doubt"] != "")
    fault(0, "", "doubtful: " head["doubt"] "; measure it again")
  if (head["commit"] ~ /-changed$/)
    fault(0, "", "measured with changed sources (" head["commit"] ")")
  else
    print head["commit"] "\t" file >commits
}

# Keeps a line of the head: "# key: value".
function read_head(text,    colon, key) {
  if (text !~ /^# [a-z_]+: ./)
    return
  colon = index(text, ":")
  key = substr(text, 3, colon - 3)
  if (!(key in head) || head[key] == "")
    head[key] = substr(text, colon + 2)
}

# A whole file into the tables above; 0 if no more can be said of it.
function read_file(path, is_table,    line, n) {
  while ((getline line < path) > 0) {
    n++
    if (n == 1 && index(line, "\357\273\277") == 1) {
      fault(1, "", "it begins with a byte order mark; take the file as" \
        " ./course bench wrote it")
      close(path)
      return 0
    }
    if (line ~ /\r$/) {
      fault(n, "", "the lines end with CR LF, as Windows writes them; take" \
        " the file as ./course bench wrote it, or remove the carriage" \
        " returns: sed -i 's/\\r$//'")
      close(path)
      return 0
    }
    if (!is_table)
      continue
    if (line ~ /^#/)
      read_head(line)
    else if (!n_columns)
      check_columns(n, line)
    else
      check_row(n, line)
  }
  close(path)
  return 1
}

function check_names(    name) {
  for (name in model_names)
    if (!(name in names))
      fault(0, "", "it has no row of " name ", which the reference has")
  for (name in names)
    if (!(name in model_names) && n_model)
      fault(names[name], "", "it has a row of " name ", which the reference" \
        " has not")
}

function check_table(    model) {
  model = bench "/" slug "/" name "." reference ".csv"
  read_model(model)
  if (!read_file(file, 1))
    return
  if (shown != "yes")
    check_head()
  if (!n_rows) {
    fault(0, "", "it holds no row")
    return
  }
  # Of other columns, and of rows that are cut off, nothing follows.
  if (model_columns != "" && model_columns != joined_columns())
    return
  if (shown != "yes" && file != model)
    check_names()
  if (!n_broken && n_model)
    check_shares()
}

function joined_columns(    i, text) {
  text = column[1]
  for (i = 2; i <= n_columns; i++)
    text = text "," column[i]
  return text
}

function check_text(    line) {
  if (!read_file(file, 0) || shown == "yes")
    return
  if ((getline line < (file ".head")) > 0) {
    do
      read_head(line)
    while ((getline line < (file ".head")) > 0)
    close(file ".head")
    check_head()
  }
}

# The experiments of a chapter, once.
function read_experiments(    path, line, word) {
  if (slug in is_read)
    return
  is_read[slug] = 1
  path = bench "/" slug "/experiments"
  while ((getline line < path) > 0) {
    if (split(line, word, " ") > 1 && word[1] !~ /^#/)
      kind_of[slug "/" word[1]] = word[2]
  }
  close(path)
}

# build/results/m/transpose/times.csv, bench/transpose/times.m.csv
function split_path(    part, n) {
  n = split(file, part, "/")
  slug = n > 1 ? part[n - 1] : ""
  name = part[n]
  sub(/\.[^.]*$/, "", name)
  if (style == "bench")
    sub(/\.[^.]*$/, "", name)
}

BEGIN {
  n_keys = split("machine gpu compute_capability driver clocks_sm_mhz" \
    " temperature_before_c temperature_after_c other_processes toolkit" \
    " compile_flags commit date command repetitions seconds inputs", keys, " ")
}

{
  file = $0
  n_faults = n_rows = n_columns = n_broken = 0
  split("", head)
  split("", names)
  split("", n_of_kind)
  split_path()
  read_experiments()
  if (!(slug "/" name in kind_of)) {
    # What the book no longer asks for it does not show.
    if (shown != "yes")
      fault(0, "", "there is no experiment " slug "/" name)
  }
  else if (file ~ /\.csv$/)
    check_table()
  else
    check_text()
  end_file()
}
