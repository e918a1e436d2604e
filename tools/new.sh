# ./course new: starts a chapter. Sourced by course.

# The number after that of the last chapter; those from 90 on are appendices.
next_number() {
  for file in "$root"/chapters/[0-8][0-9]-*.md; do
    basename "$file" | cut -c 1-2
  done | sort -n | awk '{ last = $1 } END { printf "%02d", last + 1 }'
}

# Copies tools/skeleton/$1 to $2, with the chapter's name filled in. What is
# there already stays; it appears whole or not at all.
from_skeleton() {
  [ ! -e "$root/$2" ] || return 0
  mkdir -p "$(dirname "$root/$2")"
  sed "s/SLUG/$slug/g" "$root/tools/skeleton/$1" >"$root/$2.new"
  mv "$root/$2.new" "$root/$2"
}

link() {
  mkdir -p "$(dirname "$root/$2")"
  [ -h "$root/$2" ] || ln -s "$1" "$root/$2"
}

# Was this command interrupted for the chapter? Its text is then a draft, and
# nothing has been counted.
is_begun() {
  grep -qx 'part: Drafts' "$root/chapters"/*-"$slug.md" 2>/dev/null &&
    [ ! -e "$root/bench/$slug/counts.software.csv" ]
}

# The chapter's number: $1, that of the text that is there, or the next one.
choose_number() {
  for file in "$root/chapters"/*-"$slug.md"; do
    [ ! -f "$file" ] || number=$(basename "$file" | cut -c 1-2)
  done
  number=${number:-${1:-$(next_number)}}
  case ${1:-$number} in
  [0-9][0-9]) ;;
  *) usage "new: '$1' is not a chapter number: it has two digits" ;;
  esac
  for file in "$root/chapters/${1:-$number}"-*.md; do
    [ ! -f "$file" ] || [ "$file" = "$root/chapters/$number-$slug.md" ] ||
      fail "there is ${file#"$root"/} already"
  done
  [ "${1:-$number}" = "$number" ] ||
    fail "there is chapters/$number-$slug.md already"
}

new() {
  slug=${1:-} number=
  case $slug in
  '' | [!a-z]* | *[!a-z0-9_]*) usage "new: '$slug' cannot name a chapter:" \
    "it begins with a letter and holds a-z, 0-9 and _ only" ;;
  common | device | book | course | figures)
    fail "'$slug' is the name of another folder" ;;
  esac
  if is_begun; then
    say "Going on with the chapter '$slug', which was begun."
  elif slugs | grep -qxF "$slug"; then
    fail "there is a chapter '$slug' already; its parts: ./course show $slug"
  fi
  choose_number "${2:-}"
  need_nvcc

  # The text first: without it, no one could tell that the rest was begun.
  from_skeleton chapter.md "chapters/$number-$slug.md"
  from_skeleton program.cu "code/$slug/$slug.cu"
  link ../listings.build "code/$slug/meson.build"
  from_skeleton experiments "bench/$slug/experiments"
  from_skeleton figure.gp "figures/$slug/sectors.gp"
  link ../scripts.build "figures/$slug/meson.build"
  from_skeleton wrong "tests/$slug/wrong"
  from_skeleton counts "tests/$slug/counts"
  "$root/tools/chapter-table" write "$root" || exit 1

  say "Its first result, counted on the software device:"
  (bench --software --reference "$slug")
  say
  say "The chapter's parts:"
  show "$slug"
  say
  say "Next: ./course run $slug, ./course test $slug, ./course book"
}
