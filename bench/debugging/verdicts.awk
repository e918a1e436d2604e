# Verdicts of tools about programs. Input: lines of
#
#   bug <tab> text of the software device <tab> text of the GPU
#
# The texts are what tools/results writes for the kinds check and
# sanitizer: sections that begin with "$ " and a command line.

function fail(message) {
  print "verdicts: error: " message > "/dev/stderr"
  failed = 1
  exit 1
}

# A line of the text; a command that goes on behind "\" as one.
function next_line(path,    more) {
  if ((getline line < path) <= 0) return 0
  while (line ~ /^\$ .*\\$/ && (getline more < path) > 0) {
    sub(/ *\\$/, "", line)
    sub(/^ */, " ", more)
    line = line more
  }
  return 1
}

# The version that a command line names.
function version_of(line) {
  if (!match(line, /--version [^ ]+/)) return ""
  return substr(line, RSTART + 10, RLENGTH - 10)
}

function tool_of(line) {
  if (line ~ /--padding/) return "padded"
  if (!match(line, /--tool [^ ]+/)) return "plain"
  return substr(line, RSTART + 7, RLENGTH - 7)
}

function read_software(path,    v, taken) {
  while (next_line(path)) {
    if (line ~ /^\$ /) {
      v = version_of(line)
      versions[++n_versions] = v
    } else if (line ~ /^softdevice: checks: /) {
    } else if (line ~ /^softdevice: [a-z ]*: / || line ~ /^softdevice: stack/) {
      # What a race leaves unwritten is told as uninitialised before the race.
      taken = !(v in title) || (title[v] ~ /^init/ && line !~ /: init/)
      if (taken) title[v] = substr(line, 13)
    } else if (line ~ /^  at / && taken) {
      taken = 0
      split(line, word, " ")
      split(word[2], part, ":")
      place[v] = part[1] ":" part[2]
    }
  }
  close(path)
  if (!n_versions) fail(path ": no version in it")
}

# Errors and warnings that a summary tells.
function judge(line) {
  if (line ~ /RACECHECK SUMMARY/) {
    if (line !~ /\(0 errors/) return "yes"
    return line ~ / 0 warnings/ ? "no" : "warning"
  }
  return line ~ /SUMMARY: 0 errors/ ? "no" : "yes"
}

function read_gpu(path,    v, tool) {
  while (next_line(path)) {
    if (line ~ /^\$ /) {
      v = version_of(line)
      tool = tool_of(line)
      said[v, tool] = "ended"
    } else if (tool == "plain" && index(line, v ": ") == 1)
      said[v, tool] = substr(line, length(v) + 3)
    else if (line ~ /(ERROR|RACECHECK) SUMMARY: /)
      said[v, tool] = judge(line)
  }
  close(path)
}

function text(v, tool) {
  if (!((v, tool) in said)) return "-"
  gsub(/,/, ";", said[v, tool])
  return said[v, tool]
}

function found(v,    i) {
  for (i = 1; i <= 4; i++)
    if (text(v, tools[i]) ~ /^(yes|warning)$/) return "yes"
  return "no"
}

# What one sees without a tool: right results, wrong results, or the error.
function alone(v,    said_alone) {
  said_alone = text(v, "plain")
  sub(/^no error; /, "", said_alone)
  if (sub(/ from .*/, "", said_alone)) sub(/^cudaError/, "", said_alone)
  return said_alone
}

# A name to print: the version, too, where several are broken.
function name_of(bug, v,    name) {
  name = bug (v ~ /^without_/ ? " " v : "")
  gsub(/_/, " ", name)
  return name
}

function group_of(bug) {
  return bug ~ /^puzzle_/ ? "puzzle" : bug ~ /_shuffled$/ ? "again" : "bug"
}

BEGIN {
  n_tools = split("memcheck racecheck initcheck synccheck padded", tools, " ")
  printf "bug,name,group,version,kind,plain,alone,softdevice,title,place,"
  printf "sanitizer"
  for (i = 1; i <= n_tools; i++) printf ",%s", tools[i]
  print ""
}

{
  n_versions = 0
  split("", title); split("", place); split("", said)
  read_software($2)
  read_gpu($3)
  for (k = 1; k <= n_versions; k++) {
    v = versions[k]
    gsub(/,/, ";", title[v])
    sub(/^[a-z]*: /, "", title[v])
    printf "%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s", $1, name_of($1, v),
      group_of($1), v, v ~ /^(fixed|both)$/ ? "fixed" : "broken",
      text(v, "plain"), alone(v), title[v] == "" ? "no" : "yes",
      title[v] == "" ? "-" : title[v], place[v] == "" ? "-" : place[v],
      found(v)
    for (i = 1; i <= n_tools; i++) printf ",%s", text(v, tools[i])
    print ""
  }
}

END { if (failed) exit 1 }
