#!/bin/sh
# Every figure of the book that has its data: drawn twice, byte for byte the
# same, and all of them fit to stand in one page. DERIVED: where the build
# computes results of others.
# mawk 1.3.4 20240123 misreads programs above 4096 bytes with it.
unset MALLOC_PERTURB_
. "$(dirname "$0")/tree.sh"
shift 3
"$root/figures/common/drawable" "$root" "$@" > "$work/drawable" 2> /dev/null
[ -s "$work/drawable" ] || { echo "no figure has its data yet"; exit 77; }
while read -r slug name; do
  for time in first second; do
    draw --derived "$DERIVED" "$root" "$slug/$name" "$work/$time/$slug" || failed "$slug/$name"
  done
  for file in "$slug/$name.svg" "$slug/$name.pdf"; do
    cmp "$work/first/$file" "$work/second/$file" || failed "$file differs"
  done
  set -- "$@" "$work/first/$slug/$name.svg"
done < "$work/drawable"
while [ "${1%.svg}" = "$1" ]; do shift; done
"$awk" -f "$here/check_svg.awk" "$@" || failed "promises of the SVGs"
finish
