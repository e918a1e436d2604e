# ./course bench: runs the experiments. Sourced by course.

# Prints "slug name kind program" for each experiment of the slugs in $*.
experiments() {
  for slug in "$@"; do
    [ ! -f "$root/bench/$slug/experiments" ] ||
      awk -v slug="$slug" '!/^ *(#|$)/ { print slug, $1, $2, $3 }' \
        "$root/bench/$slug/experiments"
  done
}

# Reads experiments; prints "slug name extension machine", a line for each
# result to make. $1: the machine of the GPU, or nothing.
results_to_make() {
  while read -r slug name kind program; do
    case $kind in
    time | profile) [ -z "$1" ] || say "$slug $name csv $1" ;;
    count) say "$slug $name csv software"
      [ -z "$1" ] || say "$slug $name csv $1" ;;
    access) say "$slug $name csv software" ;;
    output | ptx) say "$slug $name txt software" ;;
    sass) [ -z "$1" ] || say "$slug $name txt $1" ;;
    esac
  done
}

# The program at path $1 checks all its versions, on the best device here.
check_listing() {
  if [ "$(device)" = gpu ]; then
    (use_gpu && "$1" --check </dev/null)
  else
    LD_LIBRARY_PATH="$build/device" "$1" --check </dev/null
  fi
}

# The name for results of this machine's GPU. A reader's own results must not
# have the name of a reference that is in the repository.
machine_here() {
  name=$(gpu_machine)
  if [ "$reference" = no ] &&
    [ -n "$(find "$root/bench" -name "*.$name.csv" | sed -n 1p)" ]; then
    name=my_$name
  fi
  say "$name"
}

bench() {
  software=no machine='' reference=no
  while [ $# -gt 0 ]; do
    case $1 in
    --software) software=yes ;;
    --reference) reference=yes ;;
    --machine) [ $# -ge 2 ] || usage "bench: --machine needs a name"
      machine=$2; shift ;;
    --machine=*) machine=${1#*=} ;;
    -*) usage "bench: unknown option '$1'" ;;
    *) break ;;
    esac
    shift
  done
  for slug in "$@"; do need_slug "$slug"; done
  # shellcheck disable=SC2046  # a list of words
  [ $# -gt 0 ] || set -- $(slugs)
  need_nvcc
  if [ "$(device)" = gpu ]; then
    machine=${machine:-$(machine_here)}
    case $machine in
    software | *[!a-z0-9_]*) fail "'$machine' cannot be the name of a" \
      "machine: use a-z, 0-9 and _, and not 'software'" ;;
    esac
  else
    machine=''
    say "Without a GPU: only what the software device counts, no times."
  fi

  need build
  lock "bench"
  configure "$(configured_results)"
  make_listings "^(device|bench|code/($(say "$@" | tr ' ' '|')))/"
  experiments "$@" | awk '{ print $1 "/" $4 }' | sort -u >"$build/.course-list"
  while read -r program; do
    say "Checking $program …"
    check_listing "$build/code/$program" >"$build/.course-check" 2>&1 || {
      cat "$build/.course-check" >&2
      fail "$program is wrong on this machine; nothing is measured"
    }
  done <"$build/.course-list"
  experiments "$@" | results_to_make "$machine" >"$build/.course-list"
  measure_all
}

# Makes each result in build/.course-list, says how it went.
measure_all() {
  i=0 n=$(grep -c . "$build/.course-list") failed=0
  while read -r slug name extension on; do
    i=$((i + 1))
    if [ "$reference" = yes ]; then
      file=$root/bench/$slug/$name.$on.$extension
    else
      file=$build/results/$on/$slug/$name.$extension
    fi
    printf '[%s/%s] %s/%s on %s … ' "$i" "$n" "$slug" "$name" "$on"
    began=$(date +%s) status=0
    said=$("$root/bench/common/measure" "$slug" "$name" "$on" "$build" "$file" \
      2>"$build/.course-check" </dev/null) || status=$?
    case $status in
    0) say "$(($(date +%s) - began)) s" ;;
    77) say "left out: $said" ;;
    *) say FAILED
      cat "$build/.course-check" >&2
      failed=$((failed + 1)) ;;
    esac
  done <"$build/.course-list"
  say
  if [ "$reference" = yes ]; then
    # Which figures can be drawn may have changed: Meson must look again.
    say "new results" >>"$build/.course-found"
    say "The results are in bench/<slug>/; git diff shows what changed."
  else
    say "The results are in $build/results/"
    [ -z "$machine" ] ||
      say "The book with them: ./course book --results $machine"
  fi
  [ "$failed" = 0 ] || fail "$failed of $n experiments failed"
}
