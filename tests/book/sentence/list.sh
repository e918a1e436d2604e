# What list-sentences says of a chapter with sentences of each state.
mkdir -p "$WORK/chapters" && cp sentence/open.md "$WORK/chapters/02-sample.md"
cp sentence/checked.md "$WORK/chapters/03-other.md"
cd "$WORK"
list() {
  "$FILTERS/list-sentences" --pandoc "$PANDOC" "$@" | sed 's|^[^:]*/||'
}
list chapters/03-other.md
echo
list --open chapters/02-sample.md | cut -f 1-3
echo
list --count chapters/02-sample.md chapters/03-other.md
