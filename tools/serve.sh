# ./course serve: the book in a browser, built anew whenever a file that it
# is made of is saved. Sourced by course.

# What the pages are made of.
watched() {
  for name in chapters code bench figures book meson.build; do
    [ ! -e "$root/$name" ] || say "$root/$name"
  done
}

# Has anything been saved, added or removed since the build began?
changed() {
  watched | tr '\n' '\0' | xargs -0 sh -c \
    'find "$@" -newer "$0" ! -name ".*" -print 2>/dev/null | grep -q .' \
    "$build/.course-served"
}

# Returns when something changes, or after a moment anyway: changed decides.
wait_a_moment() {
  if command -v inotifywait >/dev/null; then
    watched | tr '\n' '\0' | xargs -0 inotifywait -qq -r -t 2 \
      -e close_write -e move -e create -e delete || :
  else
    sleep 0.3
  fi
}

# All but the PDF, which takes its time: ./course book makes it.
build_pages() {
  : >"$build/.course-served"
  (lock "serve"
    structure_is_known || configure "$(configured_results)"
    NINJA_STATUS='[%f/%t] ' "$(ninja_program)" -C "$build" html) ||
    warn "the build stopped; correct that, and it goes on by itself"
}

end_server() {
  kill "$server_id" 2>/dev/null || :
  wait "$server_id" 2>/dev/null || :
  say
  say "Ended."
  exit 0
}

port_is_wrong() {
  usage "serve: --port needs a number from 0 to 65535, not '$port'" \
    "(0 takes any port that is free)"
}

serve() {
  port=8000
  while [ $# -gt 0 ]; do
    case $1 in
    --port) [ $# -ge 2 ] || usage "serve: --port needs a number"
      port=$2; shift ;;
    *) usage "serve: unknown argument '$1'" ;;
    esac
    shift
  done
  case $port in
  '' | *[!0-9]* | ??????*) port_is_wrong ;;
  *) [ "$port" -le 65535 ] || port_is_wrong ;;
  esac
  need build device book
  need_if_any pages
  lock "serve"
  configure "$(configured_results)"
  : >"$build/.course-served"
  say_first_build
  make html
  unlock
  server=$build/book/serve
  [ -x "$server" ] || fail "the book was not built; './course doctor' says why"
  "$server" "$build/book" "$port" &
  server_id=$!
  trap end_server INT TERM
  say "Save a chapter, and its page loads again. Ctrl-C ends this."
  while kill -0 "$server_id" 2>/dev/null; do
    if changed; then build_pages; else wait_a_moment; fi
  done
  wait "$server_id" || exit 1
}
