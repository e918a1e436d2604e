# ./course count: the counts of a chapter's kernels on the software device
# beside a GPU's. Sourced by course.

# Prints the chapter's counting experiments.
counting_experiments() {
  [ ! -f "$root/bench/$1/experiments" ] ||
    awk '$2 == "count" { print $1 }' "$root/bench/$1/experiments"
}

# Counts experiment $1 of the chapter on $2, into build/results/$2.
count_on() {
  say "Counting $slug/$1 on $2 …" >&2
  "$root/bench/common/measure" "$slug" "$1" "$2" "$build" \
    "$build/results/$2/$slug/$1.csv" </dev/null
}

# Counts all of them on the software device and, where possible, on the GPU:
# then `machine` is that GPU, else the reference.
count_all() {
  for name in $names; do
    count_on "$name" software || fail "the software device cannot count it"
  done
  [ "$(device)" = gpu ] || return 0
  mine=$(machine_here)
  for name in $names; do
    status=0
    why=$(count_on "$name" "$mine") || status=$?
    case $status in
    0) machine=$mine ;;
    77) say "The GPU's counts are left out: $why" >&2; return 0 ;;
    *) fail "the GPU's counts of $slug/$name failed; see above" ;;
    esac
  done
}

# The experiments of which no GPU's counts are here: what the software device
# counts by itself. `n_alone`: how many they are.
show_alone() {
  n_alone=0
  for name in $names; do
    gpus=$build/results/$machine/$slug/$name.csv
    [ -f "$gpus" ] || gpus=$root/bench/$slug/$name.$machine.csv
    ours=$build/results/software/$slug/$name.csv
    [ -f "$ours" ] || ours=$root/bench/$slug/$name.software.csv
    if [ ! -f "$gpus" ] && [ -f "$ours" ]; then
      n_alone=$((n_alone + 1))
      awk -v name="$slug/$name" -f "$root/tools/counts.awk" "$ours"
      say
      say "The software device counted this; there are no GPU's counts of" \
        "$slug/$name yet:"
      say "./course count $slug on a machine with a GPU compares them."
    fi
  done
}

count() {
  software=no reference=no machine=h200
  if [ "${1:-}" = --software ]; then software=yes; shift; fi
  need_slug "${1:-}"
  slug=$1
  names=$(counting_experiments "$slug")
  [ -n "$names" ] || fail "bench/$slug/experiments has none of the kind count"
  if find_cuda_program nvcc >/dev/null; then
    if [ "$(device)" = gpu ]; then need build; else need build device; fi
    lock "count $slug"
    configure "$(configured_results)"
    make_listings "^(device/libcu|bench/|code/$slug/)" >&2
    count_all
  else
    say "Without nvcc: the counts in the repository, of both sides." >&2
  fi
  show_alone
  [ "$n_alone" != "$(say "$names" | wc -w)" ] || return 0
  [ "$machine" != h200 ] ||
    say "Beside the software device: the reference's counts (H200)." >&2
  status=0
  "$root/bench/counters/compare" --root "$root" --slug "$slug" \
    --software "$build/results/software" \
    --results "$build/results/$machine" "$machine" text || status=$?
  case $status in
  0) ;;
  1) fail "a difference that nothing explains; bench/counters/rules says" \
    "what may differ and why" ;;
  *) fail "nothing to compare: make the counts with" \
    "./course bench --software --reference $slug, on a GPU without --software" ;;
  esac
}
