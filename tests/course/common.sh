# What the tests of ./course share: a copy of it in a folder with spaces in its
# name, and stand-ins for the programs that it calls. $work/log holds the calls.
root=$(dirname -- "$(readlink -f -- "$0")")/../..
work=$(mktemp -d "${TMPDIR:-/tmp}/course test.XXXXXX")
trap 'rm -rf "$work"' EXIT
copy="$work/a course"
build=$copy/build
log=$work/log
stand_ins=$work/bin

mkdir -p "$copy" "$stand_ins"
cp "$root/course" "$copy"
cp -R "$root/tools" "$copy"
: >"$log"
export COURSE_PACKAGES="$work/packages"
echo 'build command:sh dash everything' >"$COURSE_PACKAGES"
unset CUDA_PATH CUDA_VISIBLE_DEVICES COURSE_BUILD || true

# $1: its name, or the path of its file; standard input: what it does
stand_in() {
  case $1 in /*) file=$1 ;; *) file=$stand_ins/$1 ;; esac
  { printf '#!/bin/sh\nwork="%s" log="%s"\n' "$work" "$log"; cat; } >"$file"
  chmod +x "$file"
}

# PATH, each folder after a colon, without the program $1: a folder that has it
# is replaced by links to the rest.
path_without() {
  echo "$PATH" | tr ':' '\n' | while read -r folder; do
    if [ -e "$folder/$1" ]; then
      links=$(mktemp -d "$work/path.XXXXXX")
      find "$folder/" -maxdepth 1 ! -type d ! -name "$1" \
        -exec ln -s -t "$links" {} +
      folder=$links
    fi
    printf ':%s' "$folder"
  done
}

fail() {
  echo "error: $*"
  echo '--- output:'; cat "$work/out"
  echo '--- calls:'; cat "$log"
  exit 1
}

# $1: the exit status it must have; then what to run
runs() {
  expected=$1
  shift
  status=0
  "$@" >"$work/out" 2>&1 </dev/null || status=$?
  [ "$status" = "$expected" ] ||
    fail "$*: exit status $status, expected $expected"
}

# Runs ./course; $1: the exit status it must have, the rest: its arguments.
course() {
  wanted=$1
  shift
  runs "$wanted" "$copy/course" "$@"
}

says() { grep -qF -- "$1" "$work/out" || fail "the output lacks: $1"; }
says_not() { ! grep -qF -- "$1" "$work/out" || fail "the output has: $1"; }
