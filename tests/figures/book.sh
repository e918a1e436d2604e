#!/bin/sh
# Every figure of the book that has its data is drawn, and all of them fit to be
# in one page. DRAWN: the build's folder of figures. That a figure comes out the
# same twice is tested by draw.sh, and for figures of each kind of the book by
# tests/book/pages/same_pages.
# mawk 1.3.4 20240123 misreads programs above 4096 bytes with it.
unset MALLOC_PERTURB_
. "$(dirname "$0")/tree.sh"
shift $#
"$root/tools/structure" list "$root" | sed -n 's/^figure //p' > "$work/drawable"
[ -s "$work/drawable" ] || { echo "no figure has its data yet"; exit 77; }
while read -r slug name _; do
  for file in "$name.svg" "$name.narrow.svg" "$name.pdf"; do
    [ -s "$DRAWN/$slug/$file" ] || failed "$slug/$file is not drawn"
  done
  set -- "$@" "$DRAWN/$slug/$name.svg" "$DRAWN/$slug/$name.narrow.svg"
done < "$work/drawable"
"$awk" -f "$here/check_svg.awk" "$@" || failed "promises of the SVGs"
finish
