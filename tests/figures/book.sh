#!/bin/sh
# Every figure of the book that has its data: drawn again, byte for byte the
# same as the build's, and all of them fit to stand in one page. DRAWN: the
# build's folder of figures. DERIVED: where it computes results of others.
# RESULTS, MACHINES: readers' results that it draws, if any.
# mawk 1.3.4 20240123 misreads programs above 4096 bytes with it.
unset MALLOC_PERTURB_
. "$(dirname "$0")/tree.sh"
shift $#
"$root/tools/structure" list "$root" | sed -n 's/^figure //p' > "$work/drawable"
[ -s "$work/drawable" ] || { echo "no figure has its data yet"; exit 77; }
while read -r slug name kind; do
  draw --derived "$DERIVED" ${RESULTS:+--results "$RESULTS"} \
    ${MACHINES:+--machine "$MACHINES"} "$root" "$slug/$name" "$work/again/$slug" ||
    failed "$slug/$name"
  narrow=
  [ "$kind" = gp ] || narrow=$slug/$name.narrow.svg
  for file in "$slug/$name.svg" "$slug/$name.pdf" $narrow; do
    cmp "$DRAWN/$file" "$work/again/$file" || failed "$file differs"
  done
  set -- "$@" "$work/again/$slug/$name.svg" \
    ${narrow:+"$work/again/$narrow"}
done < "$work/drawable"
"$awk" -f "$here/check_svg.awk" "$@" || failed "promises of the SVGs"
finish
