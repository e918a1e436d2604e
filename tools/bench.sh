# ./course bench: runs the experiments. Sourced by course.

# Prints "slug name kind program" for each experiment of the slugs in $*.
experiments() {
  for slug in "$@"; do
    [ ! -f "$root/bench/$slug/experiments" ] ||
      awk -v slug="$slug" '!/^ *(#|$)/ { print slug, $1, $2, $3 }' \
        "$root/bench/$slug/experiments"
  done
}

# Reads experiments; prints "slug name extension machine kind program", a line
# for each result to make. $1: the machine of the GPU, or nothing.
results_to_make() {
  while read -r slug name kind program; do
    case $kind in
    time | tools | profile | states) [ -z "$1" ] || say "$slug $name csv $1 $kind $program" ;;
    count | caches | atomics | table) say "$slug $name csv software $kind $program"
      [ -z "$1" ] || say "$slug $name csv $1 $kind $program" ;;
    access | trace) say "$slug $name csv software $kind $program" ;;
    output | ptx | check) say "$slug $name txt software $kind $program" ;;
    sass | ptxas | sanitizer | debugger | report) [ -z "$1" ] || say "$slug $name txt $1 $kind $program" ;;
    esac
  done
}

# The file of the result whose words are in $slug, $name, $extension and $on.
result_file() {
  if [ "$reference" = yes ]; then
    say "$root/bench/$slug/$name.$on.$extension"
  else
    say "$build/results/$on/$slug/$name.$extension"
  fi
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
  software=no machine='' named=no reference=no again=no
  while [ $# -gt 0 ]; do
    case $1 in
    --software) software=yes ;;
    --reference) reference=yes ;;
    --again) again=yes ;;
    --machine) [ $# -ge 2 ] || usage "bench: --machine needs a name"
      machine=$2 named=yes; shift ;;
    --machine=*) machine=${1#*=} named=yes ;;
    -*) usage "bench: unknown option '$1'" ;;
    *) break ;;
    esac
    shift
  done
  [ "$named" = no ] || need_machine_name "$machine"
  for slug in "$@"; do need_slug "$slug"; done
  # shellcheck disable=SC2046  # a list of words
  [ $# -gt 0 ] || set -- $(slugs)
  need_nvcc
  if [ "$(device)" = gpu ]; then
    machine=${machine:-$(machine_here)}
    need_machine_name "$machine"
    need_capability
  else
    machine=''
    say "Without a GPU: only what the software device counts, no times."
  fi

  need build
  lock "bench"
  configure "$(configured_results)"
  plan=$build/.course-plan said=$build/.course-said
  : >"$plan.left_out"
  : >"$plan.doubts"
  build_listings "$@"
  experiments "$@" | results_to_make "$machine" >"$plan.all"
  drop_current <"$plan.all" >"$plan.missing"
  n_current=$(($(wc -l <"$plan.all") - $(wc -l <"$plan.missing")))
  [ "$n_current" = 0 ] ||
    say "$n_current results are here already (--again measures them anew)."
  check_listings
  measure_all
  sum_up
}

# CUDA 13 compiles for compute capability 7.5 and later.
need_capability() {
  capability=$(gpu_field compute_cap)
  case $capability in
  [0-6].* | 7.[0-4]) fail "this GPU has compute capability $capability, and" \
    "the CUDA Toolkit compiles for 7.5 and later: ./course bench --software" \
    "counts without the GPU; times need a newer one" ;;
  esac
}

need_machine_name() {
  case $1 in
  '' | software | *[!a-z0-9_]*) fail "'$1' cannot be the name of a" \
    "machine: use a-z, 0-9 and _, and not 'software'" ;;
  esac
}

# Notes that a result is left out. $1: slug/name, or slug/program with all that
# it measures; $2: why.
leave_out() { printf '%s\t%s\n' "$1" "$2" >>"$plan.left_out"; }

# Builds what the experiments of the slugs in $* need. A listing that does not
# compile here takes only its own experiments along.
build_listings() {
  wanted=$(targets "^(device|bench|code/($(say "$@" | tr ' ' '|')))/")
  [ -n "$wanted" ] || return 0
  # shellcheck disable=SC2086  # a list of names without spaces
  NINJA_STATUS='[%f/%t] ' ninja -C "$build" -k 0 $wanted && return
  make_listings '^(device|bench)/'
  for program in $(targets "^code/($(say "$@" | tr ' ' '|'))/"); do
    ninja -C "$build" "$program" >"$said" 2>&1 ||
      { rm -f "$build/$program"
        leave_out "${program#code/}" "FAILED: it does not compile here"; }
  done
}

# Reads and prints lines of results_to_make; without those whose results are
# here, made of the same program in the same way.
drop_current() {
  while read -r slug name extension on kind program; do
    if [ "$again" = no ] && "$root/bench/common/measure" --is-current \
      "$slug" "$name" "$on" "$build" "$(result_file)" </dev/null; then
      collect_doubt "$(result_file)"
      continue
    fi
    say "$slug $name $extension $on $kind $program"
  done
}

# Every listing whose results are missing is checked first; one that is wrong
# here is not measured.
check_listings() {
  awk '{ print $1 "/" $6 }' "$plan.missing" | sort -u >"$plan.programs"
  while read -r program; do
    [ -x "$build/code/$program" ] || continue
    say "Checking $program …"
    status=0
    check_listing "$build/code/$program" >"$said" 2>&1 || status=$?
    case $status in
    0) continue ;;
    77) leave_out "$program" "$(tail -n 1 "$said")" ;;
    130 | 143) interrupted ;;
    *) cat "$said" >&2
      warn "$program is wrong on this machine; nothing of it is measured"
      leave_out "$program" "FAILED: it is wrong on this machine" ;;
    esac
  done <"$plan.programs"
  awk -F '\t' -v plan="$plan.missing" '
    { out[$1] = 1 }
    END {
      while ((getline line < plan) > 0) {
        split(line, word, " ")
        if (!(word[1] "/" word[6] in out)) print line
      }
    }' "$plan.left_out" >"$plan.now"
}

# How many seconds a result will take: as long as the last time here, or on
# the reference, or else a guess by its kind.
expected_seconds() {
  for path in "$(result_file)" "$(result_file).head" \
    "$root/bench/$slug/$name".*."$extension"; do
    [ -f "$path" ] || continue
    known=$(sed -n 's/^# seconds: //p; /^[^#]/q' "$path")
    [ -z "$known" ] || { say "$known"; return; }
  done
  case $kind:$on in
  access:* | trace:* | output:* | *:software) say 1 ;;
  sass:* | ptx:*) say 3 ;;
  *) say 5 ;;
  esac
}

in_words() {
  if [ "$1" -ge 90 ]; then
    say "$((($1 + 30) / 60)) min"
  else
    say "$1 s"
  fi
}

collect_doubt() {
  doubt=
  for path in "$1" "$1.head"; do
    [ ! -f "$path" ] || [ -n "$doubt" ] ||
      doubt=$(sed -n 's/^# doubt: //p; /^[^#]/q' "$path")
  done
  [ -z "$doubt" ] || printf '%s\t%s\n' "$slug/$name" "$doubt" >>"$plan.doubts"
}

# Makes each result in $plan.now, says how it went and how long the rest takes:
# as expected, times how wrong the expectation has been so far.
measure_all() {
  n=$(wc -l <"$plan.now") i=0 failed=0 made=0 left=0
  n=$((n))
  while read -r slug name extension on kind program; do
    seconds=$(expected_seconds)
    left=$((left + seconds))
    say "$seconds $slug $name $extension $on $kind $program"
  done <"$plan.now" >"$plan.timed"
  [ "$n" = 0 ] || say "$n to make, in about $(in_words $((left + n)))."
  # The first results weigh little: half a minute as expected goes before them.
  spent=30 planned=30
  while read -r seconds slug name extension on kind program; do
    i=$((i + 1))
    file=$(result_file)
    printf '[%s/%s] %s/%s on %s … ' "$i" "$n" "$slug" "$name" "$on"
    began=$(date +%s) status=0
    "$root/bench/common/measure" "$slug" "$name" "$on" "$build" "$file" \
      2>"$said" >"$plan.reason" </dev/null || status=$?
    took=$(($(date +%s) - began))
    left=$((left - seconds)) spent=$((spent + took))
    planned=$((planned + seconds))
    rest=
    [ "$i" = "$n" ] ||
      rest=", about $(in_words $((left * spent / planned + n - i))) left"
    case $status in
    0) made=$((made + 1))
      doubt=$(cat "$plan.reason")
      say "$took s${doubt:+, doubtful: $doubt}$rest"
      collect_doubt "$file" ;;
    77) reason=$(cat "$plan.reason")
      say "left out: $reason"
      leave_out "$slug/$name" "$reason" ;;
    130 | 143) say; interrupted ;;
    *) say FAILED
      cat "$said" >&2
      leave_out "$slug/$name" "FAILED: see above" ;;
    esac
  done <"$plan.timed"
}

# What to do about a reason for which something was left out.
remedy() {
  case $1 in
  *ERR_NVGPUCTRPERM*) say "NVIDIA's driver lets only an administrator read" \
    "the counters. Run it as root, or have one load the driver with" \
    "NVreg_RestrictProfilingToAdminUsers=0:" \
    "https://developer.nvidia.com/ERR_NVGPUCTRPERM" ;;
  *'ncu '*'not found'*) say "ncu comes with the CUDA Toolkit, or as the" \
    "package cuda-nsight-compute; it must be on PATH or in CUDA_HOME/bin." ;;
  *compute-sanitizer*) say "compute-sanitizer comes with the CUDA Toolkit." ;;
  *cuda-gdb*) say "cuda-gdb comes with the CUDA Toolkit." ;;
  *cuobjdump*) say "cuobjdump comes with the CUDA Toolkit." ;;
  *GPUs*) say "The chapter shows the reference's numbers. On a cluster," \
    "ask for more GPUs: tools/slurm/README.md." ;;
  *'compute capability'*) say "A newer GPU has it; ./course run --software" \
    "shows what the listing does." ;;
  *memory*) say "nvidia-smi shows who uses the GPU's memory; end those" \
    "programs, or take a GPU with more." ;;
  *'does not compile'*) say "ninja -C ${build#"$root"/} says why." ;;
  *'wrong on this machine'*) say "This must not be: please report it with the" \
    "messages above." ;;
  *FAILED*) say "The message above says why; ./course bench tries it again." ;;
  *'software device was not built'*) say "./course doctor says what it" \
    "needs." ;;
  *) say "The chapter shows the reference's numbers." ;;
  esac
}

# Prints the lines "what<tab>why" of file $1, those of one reason together,
# with what to do about it.
grouped() {
  cut -f 2- "$1" | awk '!known[$0]++' | while IFS= read -r why; do
    awk -F '\t' -v why="$why" '
      substr($0, length($1) + 2) == why { print "    " $1 }' "$1"
    say "  because: $why"
    [ "$2" = no ] || say "  $(remedy "$why")"
  done
}

sum_up() {
  say
  failed=$(grep -c '	FAILED' "$plan.left_out") || true
  left_out=$(($(wc -l <"$plan.left_out") - failed))
  say "$made measured, $n_current kept, $left_out left out, $failed failed."
  if [ -s "$plan.left_out" ]; then
    say "Left out:"
    grouped "$plan.left_out" yes
  fi
  if [ -s "$plan.doubts" ]; then
    say "Doubtful, and marked so in the book:"
    grouped "$plan.doubts" no
    say "  Measure again when the GPU is cool and idle: ./course bench --again"
  fi
  if [ "$reference" = yes ]; then
    # Which figures can be drawn may have changed: Meson must look again.
    say "new results" >>"$build/.course-found"
    say "The results are in bench/<slug>/; git diff shows what changed."
  else
    say "The results are in $build/results/"
    [ -z "$machine" ] ||
      say "The book with them: ./course book --results $machine"
  fi
  [ "$failed" = 0 ] || fail "$failed experiments failed"
}
