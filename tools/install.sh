# Which packages are here, and installing the rest. Sourced by course.
# tools/packages is the list; COURSE_PACKAGES names another one, for tests.

packages=${COURSE_PACKAGES:-$root/tools/packages}

# Prints the path of program $1; fails if there is only a function of that name.
program() {
  case $(command -v "$1") in */*) command -v "$1" ;; *) return 1 ;; esac
}

# Prints where that is what a row of tools/packages asks for; fails if it is
# nowhere. $1: the second column of the row
found() {
  what=${1#*:}
  case $1 in
  command:*) for name in $(say "$what" | tr '|' ' '); do
      program "$name" && return
    done
    return 1 ;;
  header:*) compiler=$(command -v cc || command -v gcc) &&
      say "#include <$what>" | "$compiler" -E -H - 2>&1 >/dev/null |
      sed -n '1{s/^\. //p;q;}' | grep '^/' ;;
  wasm-header:*) say "#include <$what>" |
      clang --target=wasm32-wasi -E -H - 2>&1 >/dev/null |
      sed -n '1{s/^\. //p;q;}' | grep '^/' ;;
  wasm-library:*) where=$(clang --target=wasm32-wasi \
      -print-libgcc-file-name 2>/dev/null) && [ -f "$where" ] && say "$where" ;;
  tex:*) command -v kpsewhich >/dev/null && kpsewhich "$what" ;;
  font:*) find -L /usr/share/fonts /usr/local/share/fonts ${HOME:+"$HOME/.fonts"} \
      -name "$what" 2>/dev/null | sed -n 1p | grep . ;;
  esac
}

rows() { grep -v -e '^#' -e '^$' "$packages"; }

# Prints the packages that the groups named in $* lack.
missing() {
  rows | while read -r group check package purpose; do
    case " $* " in
    *" $group "*) found "$check" >/dev/null || printf '%s ' "$package" ;;
    esac
  done
}

install_line() {
  printf 'apt-get update && %sapt-get install -y --no-install-recommends %s' \
    "${1:-}" "$2"
}

# Fails where the package lists are absent or too old.
apt_install() {
  $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends "$@"
}

# A new container has no package lists, and without them apt-get only complains.
has_package_lists() {
  [ -n "$(find /var/lib/apt/lists -name '*Packages*' 2>/dev/null)" ]
}

# Prints how much there is to download for the packages $1, as "272 MB"; nothing
# where apt-get does not know them yet.
download_size() {
  # shellcheck disable=SC2086  # a list of words
  { apt-get install --print-uris -qq --no-install-recommends $1 2>/dev/null || :; } |
    awk '{ bytes += $3 } END { if (bytes) printf "%.0f MB\n", bytes / 1e6 }'
}

# Makes sure that the packages of the groups in $* are here.
need() {
  lacking=$(missing "$@")
  [ -n "$lacking" ] || return 0
  say "Missing here: $lacking"
  if ! command -v apt-get >/dev/null; then
    fail "no apt-get here; install what these Debian packages hold, then again"
  elif [ "$(id -u)" = 0 ]; then
    as_root=
  elif command -v sudo >/dev/null &&
    { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    as_root=sudo
  else
    warn "installing them needs root. Run this line, then ./course again:"
    say "sudo $(install_line 'sudo ' "$lacking")" >&2
    exit 1
  fi
  say "Installing them with ${as_root:+sudo }apt-get …"
  # shellcheck disable=SC2086  # a list of words
  { has_package_lists && apt_install $lacking; } ||
    { $as_root apt-get update -q && apt_install $lacking; } ||
    fail "apt-get failed, see above. By hand: $(install_line '' "$lacking")"
  lacking=$(missing "$@")
  [ -z "$lacking" ] || fail "still missing after the installation: $lacking"
}

# The same for packages that not every system has: what needs them is left out.
need_if_any() {
  # shellcheck disable=SC2310  # its failure is looked at
  (need "$@") || warn "going on without them; ./course doctor says what for"
}

doctor() {
  doctor_line 'looked for' version 'needed for' 'found'
  rows | while read -r group check package purpose; do
    place=$(found "$check") || place="MISSING: package $package"
    doctor_line "$(say "${check#*:}" | sed 's/|.*//')" \
      "$(version_of "$place")" "$purpose" "$place"
  done
  doctor_cuda nvcc 'compiling the listings'
  doctor_cuda cuobjdump 'showing machine code'
  doctor_cuda ncu 'counters of a GPU'
  if gpu_here; then
    doctor_line GPU "$(gpu_field compute_cap)" 'times' "$(gpu_field name)"
  else
    doctor_line GPU '' 'times' 'none: the software device runs the listings'
  fi
  say
  # What is the matter with the GPU, and what to do about it.
  ! command -v python3 >/dev/null || python3 "$root/tools/results" gpu
  lacking=$(missing build device book pages pdf)
  if [ -n "$lacking" ]; then
    size=$(download_size "$lacking")
    say "To install what is missing${size:+, $size to download}:" \
      "./course book, or as root"
    say "  $(install_line '' "$lacking")"
  else
    say "No package is missing."
  fi
  say_left_out
  say_how_long
}

# Added up over processors, on the machine that the README speaks of, the tests
# take fifteen minutes, and those of `test quick` less than two.
say_how_long() {
  say
  say "With two cores: ./course book takes four minutes the first time; ./course"
  say "test builds for a quarter of an hour the first time, then takes eight"
  say "minutes; ./course test quick, when that is built, about one. Here are" \
    "$(nproc)."
}

doctor_line() { printf '%-27s %-9.9s %-24s %s\n' "$@"; }

doctor_cuda() {
  place=$(find_cuda_program "$1") ||
    place='MISSING: comes with the CUDA Toolkit'
  doctor_line "$1" "$(version_of "$place")" "$2" "$place"
}

# The version that the program at path $1 says it has; nothing for a file.
version_of() {
  case $1 in
  */bin/*) "$1" --version 2>/dev/null </dev/null | grep -v -i copyright |
      grep -o '[0-9][0-9]*\.[0-9][0-9.]*' | sed -n 1p ;;
  esac
}
