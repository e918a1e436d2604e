# Summarises Meson's testlog.json: a table by suite, why tests were skipped,
# which failed, and as the last line "N passed, N failed, N skipped".

# The value of a string that json.dumps wrote under a key, escapes undone as
# far as one line of text needs it. Inside another string the quotes around
# the key would be escaped, so the first match is the key.
function field(key,    start, text) {
  start = index($0, "\"" key "\": \"")
  if (!start)
    return ""
  text = substr($0, start + length(key) + 5)
  match(text, /^([^"\\]|\\.)*/)
  text = substr(text, 1, RLENGTH)
  gsub(/\\"/, "\"", text)
  return text
}

# The last line that is not empty.
function last_line(text,    lines, n) {
  n = split(text, lines, /\\n/)
  while (n > 1 && lines[n] == "")
    n--
  return lines[n]
}

# "project:suite+suite / test", or "suite+suite - project:test" as newer
# Mesons write it, as "suite+suite / test".
function plain(name) {
  if (match(name, / - [^ :]*:/))
    return substr(name, 1, RSTART - 1) " / " substr(name, RSTART + RLENGTH)
  sub(/^[^:]*:/, "", name)
  return name
}

{
  result = field("result")
  name = plain(field("name"))
  if (result == "OK" || result == "EXPECTEDFAIL")
    kind = "passed"
  else if (result == "SKIP")
    kind = "skipped"
  else
    kind = "failed"
  total[kind]++

  suite = name
  if (sub(/ \/ .*/, "", suite))
    sub(/\+.*/, "", suite)
  else
    suite = "other"
  if (!(suite in seen)) {
    seen[suite] = 1
    suites[++n_suites] = suite
  }
  count[suite, kind]++

  if (kind == "skipped") {
    reason = last_line(field("stdout"))
    sub(/^skipped: /, "", reason)
    if (!n_tests[reason]++)
      reasons[++n_reasons] = reason
    test_of[reason] = name
  } else if (kind == "failed")
    failed = failed "  " name " (" tolower(result) ")\n"
}

END {
  printf "%-16s %8s %8s %8s\n", "suite", "passed", "failed", "skipped"
  for (i = 1; i <= n_suites; i++)
    printf "%-16s %8d %8d %8d\n", suites[i], count[suites[i], "passed"],
      count[suites[i], "failed"], count[suites[i], "skipped"]
  if (n_reasons)
    print "\nSkipped, and why:"
  for (i = 1; i <= n_reasons; i++) {
    reason = reasons[i]
    printf "  %s: %s\n", n_tests[reason] == 1 ? test_of[reason] \
      : n_tests[reason] " tests", reason
  }
  if (failed != "")
    printf "\nFailed (build/meson-logs/testlog.txt has their output):\n%s",
      failed
  printf "\n%d passed, %d failed, %d skipped\n", total["passed"],
    total["failed"], total["skipped"]
}
