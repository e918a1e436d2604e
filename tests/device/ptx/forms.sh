#!/bin/sh
# Does the software device decode every form of the file `forms`, and does
# ptxas, where there is one, know them all? Does it refuse each of them when one
# of its operands is a name that nothing declares? A decoder that overlooks an
# operand would run something other than what the program says.
#
#   forms.sh <launch_run> <folder of this file> <nvcc's folder, or nothing>
set -eu

run=$1 folder=$2 bin=${3:-}
work=$(mktemp -d "${TMPDIR:-/tmp}/forms.XXXXXX")
trap 'rm -rf "$work"' EXIT

awk -f "$folder/forms.awk" "$folder/forms" >"$work/forms.ptx"
n=$(grep -c ';' "$work/forms.ptx")
[ "$n" -gt 4000 ] || { echo "error: only $n forms" >&2; exit 1; }
"$run" --gaps "$work/forms.ptx" || exit 1
if [ -x "$bin/ptxas" ]; then
  "$bin/ptxas" -arch=sm_90a -o /dev/null "$work/forms.ptx" 2>"$work/said" || {
    grep error "$work/said" >&2
    exit 1
  }
fi

# Operands that only ask for speed, or for a time to wait, are not looked at.
hints="cache_hint.* nosuch;|createpolicy|prefetch|applypriority|discard"
hints="$hints|nanosleep|tensormap|try_wait.*, nosuch;"
awk -f "$folder/undeclared.awk" "$work/forms.ptx" >"$work/undeclared.ptx"
"$run" --gaps "$work/undeclared.ptx" >"$work/refused" || :
accepted=$(sed 's/^[^:]*:\([0-9]*\):.*/\1/' "$work/refused" |
  awk 'NR == FNR { refused[$1]; next } /nosuch/ && !(FNR in refused)' \
    - "$work/undeclared.ptx" |
  grep -vE "$hints" || :)
m=$(grep -c nosuch "$work/undeclared.ptx")
[ "$m" -gt 12000 ] || { echo "error: only $m undeclared operands" >&2; exit 1; }
[ -z "$accepted" ] || {
  echo "error: an operand that nothing declares is overlooked:" >&2
  echo "$accepted" >&2
  exit 1
}

awk -f "$folder/fewer.awk" "$work/forms.ptx" >"$work/fewer.ptx"
f=$(grep -c ';' "$work/fewer.ptx")
[ "$f" -gt 15000 ] || { echo "error: only $f with fewer operands" >&2; exit 1; }
status=0
"$run" --gaps "$work/fewer.ptx" >"$work/refused" || status=$?
[ "$status" = 1 ] && [ "$(wc -l <"$work/refused")" -gt $((f * 9 / 10)) ] || {
  echo "error: status $status for forms with fewer operands" >&2
  exit 1
}
echo "$n forms decoded, $m refused for an undeclared operand"
