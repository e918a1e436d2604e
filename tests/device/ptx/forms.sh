#!/bin/sh
# Does the software device decode every form of the file `forms`, and does
# ptxas, where there is one, know them all?
#
#   forms.sh <ptx_run> <folder of this file> <nvcc's folder, or nothing>
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
echo "$n forms decoded"
