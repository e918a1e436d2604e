#!/bin/sh
# The small helpers of charts: rows, crossings, labels moved apart.
root=$1 lua=$2
n_failed=0
work=$(mktemp -d "${TMPDIR:-/tmp}/test-access.XXXXXX")
trap 'rm -rf "$work"' EXIT

helper() {   # helper EXPECTED COMMAND ARGUMENTS…
  expected=$1
  shift
  got=$("$lua" "$root/figures/common/ask.lua" "$@" 2>&1)
  [ "$got" = "$expected" ] || {
    echo "FAILED: $*: expected '$expected', got '$got'" >&2
    n_failed=$((n_failed + 1))
  }
}
printf '# a: b\nn,a,b\n1,1,5\n2,7,5\n3,4,5\n4,3,5\n' > "$work/map.csv"
map=$work/map.csv
helper 3 crossing "$map" n a b
helper '' crossing "$map" n b a
helper 7 cell "$map" n=2 a
helper '1 2 3 4' values "$map" '' n
helper '1 2 3' values "$map" 'b=5|7 n=1|2|3' n
helper 1 least a "$map"
helper 7 most a "$map" "$map"
helper "n,a,b
2,7,5" rows "$map" n=2
helper "$map: error: several rows have b=5; one was expected" cell "$map" b=5 a
helper "$map: error: no row has n=9" rows "$map" n=9
helper "$map: error: no column 'c'; it has n,a,b" most c "$map"
helper '0.6000 0.4000 0.9000' spread '0.51 0.49 0.9' 0.2
[ "$n_failed" = 0 ] || exit 1
echo "all as expected"
