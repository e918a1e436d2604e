# ./course new: starts a chapter. Sourced by course.

# The number behind the last chapter; those from 90 on are appendices.
next_number() {
  for file in "$root"/chapters/[0-8][0-9]-*.md; do
    basename "$file" | cut -c 1-2
  done | sort -n | awk '{ last = $1 } END { printf "%02d", last + 1 }'
}

# Copies tools/skeleton/$1 to $2, with the chapter's name filled in.
from_skeleton() {
  mkdir -p "$(dirname "$root/$2")"
  sed "s/SLUG/$slug/g" "$root/tools/skeleton/$1" >"$root/$2"
}

new() {
  slug=${1:-}
  case $slug in
  '' | [!a-z]* | *[!a-z0-9_]*) usage "new: '$slug' cannot name a chapter:" \
    "it begins with a letter and holds a-z, 0-9 and _ only" ;;
  common | device | book | course | figures)
    fail "'$slug' is the name of another folder" ;;
  esac
  ! slugs | grep -qxF "$slug" || fail "there is a chapter '$slug' already"
  number=${2:-$(next_number)}
  case $number in
  [0-9][0-9]) ;;
  *) usage "new: '$number' is no chapter number; it has two digits" ;;
  esac
  for file in "$root/chapters/$number"-*.md "$root/chapters"/*-"$slug.md"; do
    [ ! -f "$file" ] || fail "there is ${file#"$root"/} already"
  done
  need_nvcc

  from_skeleton chapter.md "chapters/$number-$slug.md"
  from_skeleton program.cu "code/$slug/$slug.cu"
  ln -s ../listings.build "$root/code/$slug/meson.build"
  from_skeleton experiments "bench/$slug/experiments"
  from_skeleton figure.gp "figures/$slug/sectors.gp"
  ln -s ../scripts.build "$root/figures/$slug/meson.build"
  "$root/tools/chapter-table" write "$root" || exit 1

  say "Its first result, counted on the software device:"
  (bench --software --reference "$slug")
  say
  say "The chapter's parts:"
  show "$slug"
  say
  say "Next: ./course run $slug, ./course test $slug, ./course book"
}
