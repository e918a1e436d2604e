#!/bin/sh
# The small helpers of charts: rows, crossings, labels moved apart.
# mawk 1.3.4 20240123 misreads programs above 4096 bytes with it.
unset MALLOC_PERTURB_
root=$1 awk=$2
n_failed=0
work=$(mktemp -d "${TMPDIR:-/tmp}/test-access.XXXXXX")
trap 'rm -rf "$work"' EXIT

helper() {   # helper EXPECTED AWK ARGUMENTS…
  expected=$1
  shift
  got=$(cd "$root/figures/common" && "$awk" "$@" 2>&1)
  [ "$got" = "$expected" ] || {
    echo "FAILED: $*: expected '$expected', got '$got'" >&2
    n_failed=$((n_failed + 1))
  }
}
printf '# a: b\nn,a,b\n1,1,5\n2,7,5\n3,4,5\n4,3,5\n' > "$work/map.csv"
helper 3 -v x=n -v low=a -v high=b -f crossing.awk "$work/map.csv"
helper '' -v x=n -v low=b -v high=a -f crossing.awk "$work/map.csv"
helper 7 -v where=n=2 -v cell=a -f rows.awk "$work/map.csv"
helper '1 2 3 4' -v values=n -f rows.awk "$work/map.csv"
helper "$work/map.csv: error: several rows have b=5; one was expected" \
  -v where=b=5 -v cell=a -f rows.awk "$work/map.csv"
helper '0.6000 0.4000 0.9000' -v heights='0.51 0.49 0.9' -v gap=0.2 \
  -f spread.awk
[ "$n_failed" = 0 ] || exit 1
echo "all as expected"
