#!/bin/sh
# What cannot be drawn honestly is refused, with file, line and what to do,
# and leaves no file behind.
. "$(dirname "$0")/tree.sh"
script=$tree/figures/demo/times.gp
cp "$script" "$work/good.gp"

# refused NAME EDIT PATTERN…: with the edit, each pattern is in the message.
refused() {
  name=$1
  sed "$2" "$work/good.gp" > "$script"
  shift 2
  if draw "$tree" demo/times "$work/out" > "$work/said" 2>&1; then
    failed "$name: was drawn"
  fi
  for pattern; do
    grep -q "$pattern" "$work/said" ||
      failed "$name: no '$pattern' in: $(cat "$work/said")"
  done
  [ -z "$(find "$work/out" -type f)" ] || failed "$name: files left"
}

at='^figures/demo/times.gp:'
refused 'missing column' 's/"time_us"/"time_ms"/' "$at[0-9]*: error: " \
  'no column.*time_ms' 'bench/demo/times.h200.csv: version,n_elems,time_us'
refused 'missing column in a selection' 's/version=/variant=/' \
  "error: no column 'variant'; it has version,n_elems,time_us" \
  'use a column'
refused 'no such row' "s/'plain better'/'plain best'/" \
  'bench/demo/times.h200.csv: error: no row has version=best' 'correct'
refused 'missing file' 's/^# data: .*/# data: bench\/demo\/nothing.h200.csv/' \
  "${at}2: error: no file bench/demo/nothing.h200.csv" './course bench demo'
refused 'undeclared file' "s/csv('demo\/times', .*)),/csv('demo\/other', 'h200'),/" \
  "$at[0-9]*: error: "
cp "$tree/bench/demo/times.h200.csv" "$tree/bench/demo/more.h200.csv"
refused 'undeclared file, read plainly' \
  's/^  rows(.*$/  "bench\/demo\/more.h200.csv" \\/' \
  "$at[0-9]*: error: Cannot find" 'declare it in the head: # data: bench/demo/more'
refused 'no title' '/^# title/d' "${at}1: error: no title" '# title: '
refused 'no data' '/^# data/d' "${at}1: error: no data" '# data: '
refused 'foreign colour' "s/linetype (.*) dash/linecolor rgb '#ff0000' dash/" \
  'figures/demo/times.gp:1: error: colour rgb(255, 0, 0) is not one of' \
  'figures/common/style.gp'
refused 'letter that the font lacks' "s/^set key/set label 9 'λ₀ ⊕' at graph 0, 0.5\nset key/" \
  "${at}1: error: 'λ₀ ⊕' has a letter that the font lacks: ⊕ (U+2295)" \
  'book/fonts/README.md'
refused 'wrong command' 's/^set key/set kye/' "${at}4: error: " 'gnuplot said'
refused 'empty drawing' 's/"time_us"/"time_us") * (0 \/ 0/' "$at" 'error: '
refused 'wrong file name' 's/style.gp/stile.gp/' "$at" "stile.gp"

if draw "$tree" demo/nothing "$work/out" > "$work/said" 2>&1 ||
  ! grep -q '^figures/demo/nothing.gp:1: error: no such figure' "$work/said"
then
  failed "a figure that is not there: $(cat "$work/said")"
fi

# A file that was drawn stays when drawing it again fails.
cp "$work/good.gp" "$script"
draw "$tree" demo/times "$work/out" || failed "drawing"
cksum "$work/out"/* > "$work/sums"
sed 's/"time_us"/"gone"/' "$work/good.gp" > "$script"
draw "$tree" demo/times "$work/out" 2> /dev/null && failed "was drawn"
cksum "$work/out"/* | cmp - "$work/sums" || failed "the old files are gone"
finish
