# ./course results, export, import: the machines whose results are here.
# Sourced by course.
#
# A set is what one machine measured: build/results/<machine>/ holds a
# reader's, bench/*/*.<machine>.* the repository's.

# Is there a set of machine $1?
has_results() {
  [ -d "$build/results/$1" ] ||
    [ -n "$(find "$root/bench" -name "*.$1.csv" | sed -n 1p)" ]
}

# The files of the sets, each as "where machine file", fields between tabs.
result_files() {
  for file in "$root"/bench/*/*.*.*; do
    [ -f "$file" ] || continue
    name=$(basename "$file")
    name=${name%.*}
    printf 'bench\t%s\t%s\n' "${name##*.}" "$file"
  done
  for file in "$build"/results/*/*/*.csv "$build"/results/*/*/*.txt; do
    [ -f "$file" ] || continue
    name=${file#"$build/results/"}
    printf 'results\t%s\t%s\n' "${name%%/*}" "$file"
  done
}

# How many results a full set has: $1 the machine's name.
full_set() {
  gpu=$1
  [ "$gpu" != software ] || gpu=
  # shellcheck disable=SC2046  # a list of words
  experiments $(slugs) | results_to_make "$gpu" |
    awk -v on="$1" '$4 == on' | grep -c . || true
}

# A list of the sets, for people.
results() {
  [ $# = 0 ] || usage "results: unknown argument '$1'"
  result_files | while IFS='	' read -r where on file; do
    head=$file
    [ ! -f "$file.head" ] || head=$file.head
    printf '%s\t%s\t%s\n' "$where" "$on" "$(awk '
      /^# gpu: / { gpu = substr($0, 8) }
      /^# date: / { date = substr($0, 9, 10) }
      /^# commit: none/ { quoted = 1 }
      /^# doubt: / { doubt = 1 }
      !/^#/ { exit }
      END { print gpu "\t" date "\t" doubt + 0 "\t" quoted + 0 }' "$head")"
  done | awk -F '\t' '
    { id = $1 FS $2 }
    !(id in n) { order[++sets] = id }
    { n[id]++; doubts[id] += $5; quoted[id] += $6 }
    $3 != "" { gpu[id] = $3 }
    $4 > last[id] { last[id] = $4 }
    END {
      for (i = 1; i <= sets; i++) {
        id = order[i]
        print id FS (gpu[id] == "" ? "-" : gpu[id]) FS \
          (last[id] == "" ? "-" : last[id]) FS n[id] FS doubts[id] FS \
          quoted[id]
      }
    }' | sort | while IFS='	' read -r where on gpu date n doubts quoted; do
    of=$(full_set "$on" </dev/null)
    note="$n of $of results"
    [ "$quoted" = 0 ] || note="$n tables, quoted"
    [ "$doubts" = 0 ] || note="$note, $doubts doubtful"
    [ "$where" = bench ] && where="in bench/" || where="in build/results/"
    printf '%-20s %-28s %-10s  %s, %s\n' "$on" "$gpu" "$date" "$note" "$where"
  done
  say
  say "In the book beside the reference: ./course book --results <machine>,…"
}

# Checks that the machines of the list $1, separated by commas, are here, and
# that the book can show what they measured.
need_results() {
  for name in $(say "$1" | tr ',' ' '); do
    has_results "$name" ||
      fail "no results of a machine '$name' here; there are:" \
        "$(machines | tr '\n' ' ')(./course bench makes them," \
        "./course results lists them)"
    set_of_it=$name
    [ ! -d "$build/results/$name" ] || set_of_it=$build/results/$name
    "$root/bench/common/check_set" --shown "$set_of_it" ||
      fail "the book cannot show the results of the machine '$name':" \
        "the messages above name the file, the row and the column"
  done
}

# Packs a set to be taken elsewhere.
export_() {
  name=${1:-}
  [ -n "$name" ] || usage "export: which machine? ./course results lists them"
  [ -d "$build/results/$name" ] ||
    fail "no results of a machine '$name' in build/results; there are:" \
      "$(machines | tr '\n' ' ')"
  archive=${2:-$name.tgz}
  tar -czf "$archive.new" -C "$build/results" "$name"
  mv "$archive.new" "$archive"
  say "Packed: $archive. On the other machine: ./course import $archive"
}

# Takes over a set: a folder <machine>/<slug>/<experiment>.csv or an archive
# of one that ./course export packed.
import() {
  reference=no machine=''
  while [ $# -gt 0 ]; do
    case $1 in
    --reference) reference=yes ;;
    --machine) [ $# -ge 2 ] || usage "import: --machine needs a name"
      machine=$2; shift ;;
    --machine=*) machine=${1#*=} ;;
    -*) usage "import: unknown option '$1'" ;;
    *) break ;;
    esac
    shift
  done
  [ $# = 1 ] || usage "import: name one folder or archive"
  unpacked=$(mktemp -d "${TMPDIR:-/tmp}/course.XXXXXX")
  trap 'rm -rf "$unpacked"' EXIT
  if [ -d "$1" ]; then
    folder=$(readlink -f -- "$1")
    mkdir "$unpacked/$(basename "$folder")"
    cp -R "$folder/." "$unpacked/$(basename "$folder")"
  elif [ -f "$1" ]; then
    tar -xzf "$1" -C "$unpacked" ||
      fail "$1 is no archive that ./course export packed"
  else
    fail "there is no folder or file $1"
  fi
  [ -z "$(find "$unpacked" ! -type f ! -type d | sed -n 1p)" ] ||
    fail "$1 holds something that is no file, such as a link:" \
      "$(find "$unpacked" ! -type f ! -type d | sed -n 1p | sed 's|.*/||')"
  set -- "$unpacked"/*/
  { [ $# = 1 ] && [ -d "$1" ]; } ||
    fail "it does not hold the results of one machine:" \
      "<machine>/<chapter>/<experiment>.csv"
  folder=${1%/} from=$(basename "$1")
  machine=${machine:-$from}
  need_machine_name "$machine"
  if [ "$machine" != "$from" ]; then
    find "$folder" -type f -exec \
      sed -i "s/^# machine: $from\$/# machine: $machine/" {} +
    mv "$folder" "$unpacked/$machine"
    folder=$unpacked/$machine
  fi
  strict=
  [ "$reference" = no ] || strict=--complete
  # Its messages shall name the files as the reader knows them.
  "$root/bench/common/check_set" $strict "$folder" >"$unpacked/said" 2>&1 || {
    sed "s|$unpacked/||" "$unpacked/said" >&2
    fail "these results are not taken over; the messages above say why"
  }
  if [ "$reference" = no ]; then
    [ ! -e "$build/results/$machine" ] ||
      fail "there are results of a machine '$machine' here already;" \
        "give the new ones another name: --machine <name>"
    need_build_folder import
    mkdir -p "$build/results"
    mv "$folder" "$build/results/$machine"
    say "Taken over. The book with them: ./course book --results $machine"
    return
  fi
  [ -z "$(find "$root/bench" -name "*.$machine.*" | sed -n 1p)" ] ||
    fail "bench/ holds results of a machine '$machine' already;" \
      "give the new ones another name: --machine <name>"
  (cd "$folder" && find . -name '*.csv' -o -name '*.txt') |
    while read -r path; do
      path=${path#./}
      cp "$folder/$path" "$root/bench/${path%.*}.$machine.${path##*.}"
    done
  mkdir -p "$build"
  say "new results" >>"$build/.course-found"
  say "Taken over into bench/<chapter>/; git status shows the files."
}
