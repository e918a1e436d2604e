# From an access map of shared memory (one row per lane of a request, as the
# software device writes it) to shapes that gnuplot draws.
#
#   where    "column=value …": which accesses; several launches or warps may
#            match, request then counts through them in the file's order
#   request  which of them to draw, from 1 (default 1)
#   layer    what to print, see below
#   context  "column=value …": accesses whose words are shown as used
#
# Shared memory, one column per bank, one row per 128 bytes:
#   used     bank,row              words touched by any access of context
#   unused                         how many words between these are not used
#   hits     bank,row,lane,wavefront   words touched by the request
#   names    x,row,left,right      where to write the first and last lane's
#                                  name, aligned to the left or to the right;
#                                  "." where there is nothing to write
#   banks    bank,wavefronts       how many different words of each bank
#   spots    x,y,lane,tip          where a lane's words lie in the drawing, and
#                                  what to say about them
#   summary  one line of text: "32 wavefronts"

function fail(message) {
  printf "%s: error: %s\n", FILENAME, message > "/dev/stderr"
  failed = 1
  exit 1
}

function column_of(name) {
  if (!(name in column))
    fail("no column '" name "'; it has " header)
  return column[name]
}

# "column=value …" into names[1..n] (as column numbers) and wanted[1..n].
function parse(text, numbers, wanted,   i, n, parts, pair) {
  n = split(text, parts, " ")
  for (i = 1; i <= n; i++) {
    split(parts[i], pair, "=")
    numbers[i] = column_of(pair[1])
    wanted[i] = pair[2]
  }
  return n
}

function matches(n, numbers, wanted,   i) {
  for (i = 1; i <= n; i++)
    if (index("|" wanted[i] "|", "|" $(numbers[i]) "|") == 0)
      return 0
  return 1
}

BEGIN {
  FS = ","
  if (request == "") request = 1
}

/^#/ || /^[ \t\r]*$/ { next }
{ sub(/\r$/, "") }

header == "" {
  header = $0
  for (i = 1; i <= NF; i++)
    column[$i] = i
  n_tests = parse(where, tested, wanted)
  n_context = parse(context, context_tested, context_wanted)
  launch = column_of("launch"); number = column_of("request")
  block_x = column_of("block_x"); block_y = column_of("block_y")
  block_z = column_of("block_z"); warp = column_of("warp")
  lane = column_of("lane"); address = column_of("address")
  bytes = column_of("bytes"); wavefront = column_of("wavefront")
  next
}

layer ~ /^(un)?used$/ && matches(n_context, context_tested, context_wanted) {
  for (b = $address; b < $address + $bytes; b += 4)
    used[int(b / 4)] = 1
}

matches(n_tests, tested, wanted) {
  key = $launch SUBSEP $block_x SUBSEP $block_y SUBSEP $block_z \
    SUBSEP $warp SUBSEP $number
  if (!(key in rank)) rank[key] = ++n_requests
  if (rank[key] != request) next
  n_lanes++
  lane_of[n_lanes] = $lane
  first[n_lanes] = $address
  size[n_lanes] = $bytes
  pass[n_lanes] = $wavefront
}

function count(n, thing) {
  return n " " thing (n == 1 ? "" : "s")
}

function measure(   i, b, w) {
  for (i = 1; i <= n_lanes; i++) {
    for (b = first[i]; b < first[i] + size[i]; b += 4) {
      if (!((w = int(b / 4)) in word_seen)) {
        word_seen[w] = 1
        per_bank[w % 32]++
      }
    }
    if (pass[i] != "" && pass[i] + 1 > n_wavefronts) n_wavefronts = pass[i] + 1
  }
}

# Beside the word; above or below it where the lanes lie in a row.
function print_name(i, neighbour,   bank, row, name, left) {
  bank = int(first[i] / 4) % 32
  row = int(first[i] / 128)
  name = "lane " lane_of[i]
  left = bank < 16
  if (neighbour && int(first[neighbour] / 128) == row)
    print bank + (left ? -0.4 : 0.4) "," \
      row + (neighbour > i ? -1.5 : 1.5) "," (left ? name ",." : ".," name)
  else
    print bank + (left ? 1 : -1) "," row "," (left ? name ",." : ".," name)
}

# "byte 640; bank 0; wavefront 6 of 32".
function print_spots(i,   tip, b) {
  tip = "byte " first[i] (size[i] > 4 ? " to " first[i] + size[i] - 1 : "")
  tip = tip "; bank " int(first[i] / 4) % 32 "; wavefront " pass[i] + 1 \
    " of " n_wavefronts
  for (b = first[i]; b < first[i] + size[i]; b += 4)
    print int(b / 4) % 32 "," int(b / 128) "," lane_of[i] "," tip
}

END {
  if (failed) exit 1
  if (header == "") fail("no header line")
  if (n_lanes == 0)
    fail("no request " request " where " where)
  measure()

  if (layer == "summary") {
    print count(n_wavefronts, "wavefront")
  } else if (layer == "spots") {
    print "x,y,lane,tip"
    for (i = 1; i <= n_lanes; i++)
      print_spots(i)
  } else if (layer == "used") {
    print "bank,row"
    for (w = 0; w < 32768; w++)   # in order, so that a figure is reproducible
      if (w in used) print w % 32 "," int(w / 32)
  } else if (layer == "unused") {
    for (w in used) {
      n_used++
      if (w + 0 > last_word) last_word = w + 0
    }
    print n_used ? last_word + 1 - n_used : 0
  } else if (layer == "hits") {
    print "bank,row,lane,wavefront"
    for (i = 1; i <= n_lanes; i++)
      for (b = first[i]; b < first[i] + size[i]; b += 4)
        print int(b / 4) % 32 "," int(b / 128) "," lane_of[i] "," pass[i]
  } else if (layer == "names") {
    print "x,row,left,right"
    print_name(1, n_lanes > 1 ? 2 : 0)
    if (n_lanes > 1) print_name(n_lanes, n_lanes - 1)
  } else if (layer == "banks") {
    print "bank,wavefronts"
    for (i = 0; i < 32; i++) print i "," per_bank[i] + 0
  } else {
    fail("no layer '" layer "'")
  }
}
