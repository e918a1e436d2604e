# What the tests of bench/roofline/points and levels share. They run the program
# $tested on results written here, whose numbers are round.
root=$(readlink -f -- "$(dirname -- "$0")/../..")
work=$(mktemp -d "${TMPDIR:-/tmp}/roofline test.XXXXXX")
trap 'rm -rf "$work"' EXIT
copy=$work/book
mkdir -p "$copy/bench/demo"
cp -R "$root/bench/roofline" "$copy/bench"
cp -R "$root/tools" "$copy"
rm -f "$copy"/bench/roofline/*.csv

# Writes a result; $1: its path, $2: its machine, then its rows.
result() {
  path=$1
  {
    printf '# machine: %s\n# gpu: GPU %s\n# compute_capability: 9.0\n' \
      "$2" "$2"
    printf '# driver: 1\n# toolkit: 13\n# commit: c\n'
    printf '# date: 2026-01-01T00:00:00Z\n'
    shift 2
    printf '%s\n' "$@"
  } >"$path"
}

computes() {
  status=0
  "$copy/bench/roofline/$tested" --root "$copy" "$@" >"$work/out" 2>&1 ||
    status=$?
}

fail() {
  echo "error: $*"
  cat "$work/out"
  exit 1
}

has() { grep -qF -- "$1" "$work/out" || fail "expected: $1"; }
ends() { [ "$status" = "$1" ] || fail "exit status $status, expected $1"; }

# The table $1 names what there is.
names_what_is_there() {
  awk '!/^#/ && NF { print $1, $2, $3 }' "$root/bench/roofline/$1" |
    while read -r slug counts times; do
      for name in "$counts" "$times"; do
        awk -v name="$name" '$1 == name { yes = 1 } END { exit !yes }' \
          "$root/bench/$slug/experiments" ||
          fail "bench/$slug/experiments has no '$name'"
      done
    done
  "$root/bench/roofline/$tested" --root "$root" \
    "$(cat "$root/bench/reference")" >"$work/out"
}
