#!/bin/sh
# words.sh BUILD AWK: in the figures of the build folder, for print, no word
# sticks out, none lies on another, and all are in the book's font; words.py does
# the same for pages. Needs Debian's poppler-utils.
unset MALLOC_PERTURB_
set -eu
figures=$1/figures awk=$2
here=$(cd "$(dirname "$0")" && pwd)
command -v pdftotext > /dev/null || {
  echo 'skipped: pdftotext is not installed (Debian: poppler-utils)'
  exit 77
}
work=$(mktemp -d "${TMPDIR:-/tmp}/words.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

cd "$figures"
set -- */*.pdf
[ -f "$1" ] || { echo 'skipped: no figure was drawn'; exit 77; }
for figure; do
  mkdir -p "$work/${figure%/*}"
  # A figure without words has no font.
  other=$(pdffonts "$figure" | sed '1,2d; /^[A-Z]*+WarpSans-/d')
  [ -z "$other" ] || {
    echo "$figures/$figure: a font that is not the book's: $other"
    exit 1
  }
  pdftotext -bbox "$figure" "$work/${figure%.pdf}.words" 2> "$work/notices"
done
cd "$work"
"$awk" -f "$here/words.awk" */*.words

# It finds a word that was moved out, and one that lies on its neighbour.
refuses() {
  if "$awk" -f "$here/words.awk" moved.words > said; then
    echo "not found: $1"
    exit 1
  fi
}
set -- */*.words
awk '/<word / && !n++ { sub(/xMin="[^"]*"/, "xMin=\"-9\"") } { print }' \
  "$1" > moved.words
refuses 'a word outside of the figure'
awk '{ print } /<word / && !n++ { print }' "$1" > moved.words
refuses 'a word on another'
