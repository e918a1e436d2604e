#!/bin/sh
# A figure is drawn: fit for a page, twice the same, with a reader's machine.
# mawk 1.3.4 20240123 misreads programs above 4096 bytes with it.
unset MALLOC_PERTURB_
. "$(dirname "$0")/tree.sh"

draw --depfile "$work/d" "$tree" demo/times "$work/out one" || failed "drawing"
svg="$work/out one/times.svg" pdf="$work/out one/times.pdf"
narrow="$work/out one/times.narrow.svg"
"$awk" -f "$here/check_svg.awk" "$svg" "$narrow" || failed "promises of the SVG"
if command -v xmllint > /dev/null; then
  xmllint --noout "$svg" || failed "xmllint"
fi
grep -q '<title id="fig-demo-times-title">Times of two versions &lt; 1 hour &amp; measured</title>' "$svg" ||
  failed "title"
grep -q '>plain Tested GPU</text>' "$svg" || failed "text as text"
grep -q 'class="plot wide" viewBox="0 0 640 360"' "$svg" || failed "wide"
grep -q 'class="plot narrow" viewBox="0 0 360 360"' "$narrow" ||
  failed "narrow"
grep -q 'var(--fig-1,#0072b2)' "$svg" || failed "colour as a property"
head -c 5 "$pdf" | grep -q '%PDF-' || failed "PDF"
[ "$(find "$work/out one" -type f | wc -l)" = 3 ] || failed "files left over"
grep -q 'out\\ one/times.svg: .*bench/demo/times.h200.csv' "$work/d" ||
  failed "dependencies: $(cat "$work/d")"

# A second later, elsewhere, with a script that sets another time zone.
sleep 1
TZ=Asia/Tokyo draw "$tree" demo/times "$work/two" || failed "drawing again"
cmp "$svg" "$work/two/times.svg" && cmp "$pdf" "$work/two/times.pdf" ||
  failed "drawn twice, the files differ"

# A reader's machine beside the reference; without results: the reference.
draw --results "$tree/results" --machine mine "$tree" demo/times "$work/three" ||
  failed "drawing with a reader's results"
grep -q '>plain Reader GPU</text>' "$work/three/times.svg" ||
  failed "the reader's machine is not drawn"
cp -R "$tree/results/mine" "$tree/results/twin"
mkdir "$tree/results/empty"
draw --results "$tree/results" --machine mine,empty,twin "$tree" demo/times \
  "$work/five" || failed "drawing with several readers' results"
grep -q '>plain Reader GPU (twin)</text>' "$work/five/times.svg" ||
  failed "the second reader's machine is not drawn"
! grep -q 'empty' "$work/five/times.svg" || failed "a machine without results"
cp "$tree/results/twin/demo/times.csv" "$tree/bench/demo/times.given.csv"
draw --results "$tree/results" --machine given "$tree" demo/times \
  "$work/six" || failed "drawing with contributed results"
sed 's/h200 given/h200 mine/' "$work/six/times.svg" |
  cmp - "$work/three/times.svg" || failed "contributed results are not drawn"
draw --results "$tree/results" --machine none "$tree" demo/times "$work/four" ||
  failed "drawing with a machine that has no results"
cmp "$svg" "$work/four/times.svg" || failed "no results, another drawing"

# What cannot be drawn of a reader's machine leaves that machine out, with its
# file, line and column; the others and the reference are drawn.
mkdir -p "$tree/results/bad/demo"
left_out() {   # left_out NAME EDIT PATTERN: the reader's file after that edit
  sed "$2" "$tree/results/mine/demo/times.csv" \
    > "$tree/results/bad/demo/times.csv"
  draw --results "$tree/results" --machine bad,mine "$tree" demo/times \
    "$work/bad" 2> "$work/said" || failed "$1 stops the drawing"
  grep -q "^figures/demo/times.gp:1: warning: .* without 'bad'" "$work/said" ||
    failed "$1: no warning: $(cat "$work/said")"
  grep -q "/bad/demo/times.csv$3" "$work/said" ||
    failed "$1: the warning is: $(cat "$work/said")"
  cmp "$work/bad/times.svg" "$work/three/times.svg" ||
    failed "$1: another drawing than without that machine"
}
left_out 'a column of NaN' 's/,[0-9]*$/,nan/' ":4: 'time_us' is 'nan'"
left_out 'an empty cell' '$s/,[0-9]*$/,/' ":7: 'time_us' is '', not a number"
left_out 'a time of 0' '5s/,[0-9]*$/,0/' ":5: 'time_us' is 0"
left_out 'a negative time' '5s/,[0-9]*$/,-5.0/' ":5: 'time_us' is -5"
left_out 'a text' '5s/,[0-9]*$/,n\/a/' ":5: 'time_us' is 'n/a'"
left_out 'a column less' '/^[^#]/s/,[^,]*$//' ":3: there is no column 'time_us'"
left_out 'a torn row' '$s/,[^,]*$//' ':7: 2 cells where the head names 3'
left_out 'no row' '/^[pb].*[0-9]$/d' ':1: it holds no row'
left_out 'a version less' '/^better/d' '$'

# A figure that only has the reference in mind names no other machine.
sed 's/for \[m = 1:n_machines\]//; s/word(machines, m)/machine/
  s/dashtype dash(m)//; s/gpu(m)/corner/' "$tree/figures/demo/times.gp" \
  > "$tree/figures/demo/alone.gp"
draw --results "$tree/results" --machine mine "$tree" demo/alone \
  "$work/bad" || failed "drawing the reference alone"
grep -q '<svg [^>]*data-machines="h200 (alone)"' "$work/bad/alone.svg" ||
  failed "the reference alone, and the SVG does not say so"
! grep -q 'Reader GPU' "$work/bad/alone.svg" ||
  failed "a machine is named that is not drawn"
rm "$tree/figures/demo/alone.gp"

# Labels that are crowded at an end of the axis stay near it.
spread() {
  "$lua" "$root/figures/common/ask.lua" spread "$1" 0.1
}
[ "$(spread '0.2 0.9')" = '0.2000 0.9000' ] || failed "labels far apart moved"
[ "$(spread '0.95 0.95 0.95 0.95' | awk '{ print ($4 <= 1.0401) }')" = 1 ] ||
  failed "labels above the axis: $(spread '0.95 0.95 0.95 0.95')"
[ "$(spread '0.01 0.01 0.01' | awk '{ print ($1 >= -0.0101) }')" = 1 ] ||
  failed "labels below the axis: $(spread '0.01 0.01 0.01')"

# A GPU's name is no part of a program, and a long one has room.
sed "s/Reader GPU/it's \\\\ \`a\` | \"b\"; exit/" \
  "$tree/results/mine/demo/times.csv" > "$tree/results/bad/demo/times.csv"
draw --results "$tree/results" --machine bad "$tree" demo/times \
  "$work/bad" || failed "drawing a GPU with an odd name"
grep -q '>plain its  a  b; exit</text>' "$work/bad/times.svg" ||
  failed "an odd name: $(grep -o '>plain[^<]*' "$work/bad/times.svg")"
name=$(printf 'GPU %056d' 7)
sed "s/Reader GPU/$name/" "$tree/results/mine/demo/times.csv" \
  > "$tree/results/bad/demo/times.csv"
draw --results "$tree/results" --machine bad "$tree" demo/times \
  "$work/bad" || failed "drawing a GPU with a long name"
grep -q '>plain GPU 0*…0*7</text>' "$work/bad/times.svg" ||
  failed "a long name: $(grep -o '>plain[^<]*' "$work/bad/times.svg")"
grep -q '<svg [^>]*data-machines="h200 bad"' "$work/bad/times.svg" ||
  failed "the SVG does not say which machines it shows"

# Two figures in one page do not clash.
sed 's/title: /title: Again /' "$tree/figures/demo/times.gp" \
  > "$tree/figures/demo/again.gp"
draw "$tree" demo/again "$work/two" || failed "drawing a second figure"
"$awk" -f "$here/check_svg.awk" "$work/two/times.svg" "$work/two/again.svg" ||
  failed "two figures clash"

# A picture that a program has made: in both files, and a dependency.
cp "$here/../../bench/images/motion.png" "$tree/bench/demo/made.png"
cat > "$tree/figures/demo/picture.gp" <<'END'
# title: A picture
# data: bench/demo/times.h200.csv
# picture: bench/demo/made.png
load 'figures/common/style.gp'
set datafile separator whitespace
set xlabel 'made'
plot 'bench/demo/made.png' binary filetype=png with rgbimage notitle
END
draw --depfile "$work/d" "$tree" demo/picture "$work/two" ||
  failed "drawing a picture"
"$awk" -f "$here/check_svg.awk" "$work/two/picture.svg" ||
  failed "promises of the SVG with a picture"
grep -q ' href="data:image/png;base64,' "$work/two/picture.svg" ||
  failed "the picture is not in the SVG"
grep -q 'bench/demo/made.png' "$work/d" || failed "the picture's dependency"
rm "$tree/bench/demo/made.png"
if draw "$tree" demo/picture "$work/two" 2> "$work/said"; then
  failed "a picture that is not there"
fi
grep -q 'picture.gp:3: error: no file bench/demo/made.png' "$work/said" ||
  failed "what is said of it: $(cat "$work/said")"

# The check itself notices.
for fault in 's/<\/svg>//' 's/ role="img"//' 's/<svg /<svg width="9" /' \
  's/ class="[^"]*"//' 's/<use /<use id="gpPt0" /' 's/<desc.*<\/desc>//'; do
  sed "$fault" "$svg" > "$work/faulty.svg"
  if "$awk" -f "$here/check_svg.awk" "$work/faulty.svg" 2> /dev/null; then
    failed "check_svg.awk overlooks $fault"
  fi
done
finish
