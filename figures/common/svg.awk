# Makes gnuplot's SVG fit to stand inside an HTML page.
#
#   awk -v id=fig-transpose-bandwidth -v width=wide|narrow -v title=… \
#       -v file=… -v machines=… -f svg.awk style.gp gnuplot.svg
#
# - ids are gone or carry the figure's id, so that figures do not clash;
# - title and description are ours: <title id="<id>-title"> and
#   <desc id="<id>-desc">, which the book replaces by the figure's alt text;
# - the narrow drawing, which phones show in place of the wide one, has -narrow
#   after its id; the page's style sheet shows one of them;
# - data-machines says which machines the figure shows, for book/filters;
# - the size follows the page; the background is the page's;
# - gnuplot's hypertext, "panel|lane|text", becomes a circle that shows nothing
#   but the text on hover; js/book.js lets readers walk through the lanes;
# - text and axes have the page's text colour (currentColor); each other
#   colour is a class of this figure with the CSS property --fig-<name> and
#   the colour of style.gp as its default.

BEGIN {
  if (width == "narrow") id = id "-narrow"
}

function fail(message) {
  printf "%s: error: %s\n", file, message > "/dev/stderr"
  failed = 1
  exit 1
}

function escape(text) {
  gsub(/&/, "\\&amp;", text)
  gsub(/</, "\\&lt;", text)
  gsub(/>/, "\\&gt;", text)
  return text
}

# "rgb( 0, 114, 178)", "#0072b2" or a name that gnuplot uses, as "#rrggbb".
function hex_of(text,   part) {
  if (text == "black") return "#000000"
  if (text == "white") return "#ffffff"
  if (text == "gray") return "#c0c0c0"
  if (text ~ /^rgb/) {
    gsub(/[^0-9,]/, "", text)
    split(text, part, ",")
    return sprintf("#%02x%02x%02x", part[1], part[2], part[3])
  }
  return tolower(text)
}

# Value of attribute `name` in `tag`, or "".
function attribute(tag, name,   rest, quote) {
  if (!match(tag, "[ \t]" name "[ ]*=[ ]*['\"]"))
    return ""
  rest = substr(tag, RSTART + RLENGTH)
  quote = substr(tag, RSTART + RLENGTH - 1, 1)
  return substr(rest, 1, index(rest, quote) - 1)
}

# `tag` without attribute `name`.
function without(tag, name) {
  sub("[ \t]+" name "[ ]*=[ ]*(\"[^\"]*\"|'[^']*')", "", tag)
  return tag
}

# One colour attribute: its new text, and its class into `classes`.
function coloured(tag, name,   value, hex) {
  value = attribute(tag, name)
  if (value == "" || value == "none" || value == "currentColor")
    return tag
  tag = without(tag, name)
  hex = hex_of(value)
  if (hex == "#ffffff")      # background: whatever the page has
    return name == "color" ? tag : with(tag, name "=\"none\"")
  if (hex == "#000000")      # ink: the page's text colour
    return name == "color" ? tag : with(tag, name "=\"currentColor\"")
  if (!(hex in name_of))
    fail("colour " value " is not one of figures/common/style.gp; " \
      "use a colour_… from there, so that the page's theme can change it")
  classes = classes (classes == "" ? "" : " ") \
    substr(name, 1, 1) "-" name_of[hex]
  used_class[name SUBSEP name_of[hex]] = hex
  return with(tag, name "=\"" hex "\"")
}

# `tag` with one more attribute.
function with(tag, text,   end) {
  end = match(tag, /[ ]*\/?>/)
  return substr(tag, 1, end - 1) " " text substr(tag, end)
}

# A drawing tag in our form.
function clean(tag) {
  gsub(/'/, "\"", tag)
  gsub(/[ ]+=[ ]+/, "=", tag)
  gsub(/[ \t]+/, " ", tag)
  sub(/^ /, "", tag)
  tag = without(without(tag, "class"), "font-family")
  gsub(/ stroke-linecap="butt"/, "", tag)
  gsub(/ stroke-linejoin="miter"/, "", tag)
  if (tag ~ /^<g stroke="none" shape-rendering=/) return "<g>"
  if (tag ~ /^<polygon/ && tag !~ / stroke=/)
    sub(/^<polygon/, "<polygon stroke=\"none\"", tag)
  sub(/xlink:href="#/, "href=\"#" id "-", tag)
  sub(/xlink:href="data:/, "href=\"data:", tag)   # a picture, as it is
  classes = ""
  tag = coloured(tag, "fill")
  tag = coloured(tag, "stroke")
  tag = coloured(tag, "color")
  if (classes != "") tag = with(tag, "class=\"" classes "\"")
  if (tag ~ /^<g /) {        # what the root already says
    sub(/ fill="none"/, "", tag)
    sub(/ stroke="currentColor"/, "", tag)
    sub(/ stroke-width="1.00"/, "", tag)
  }
  gsub(/ "/, "\"", tag)
  gsub(/ \/>/, "/>", tag)
  gsub(/ >/, ">", tag)
  return tag
}

function emit(text) { body[++n_body] = text }

# <use transform="translate(x,y) scale(s)"/> of a hypertext as its spot; which
# panel it belongs to stands before a tab, for join_spots.
function spot(tag, text,   part, at) {
  at = attribute(tag, "transform")
  gsub(/^translate\(|\).*$/, "", at)
  split(at, part, ",")
  split(text, text_part, "|")
  return "spot " quote(text_part[1]) "\t<circle cx=\"" tidy(part[1]) \
    "\" cy=\"" tidy(part[2]) "\" r=\"5\"><title>lane " text_part[2] ": " \
    escape(text_part[3]) "</title></circle>"
}

# gnuplot has escaped what XML needs, or it has not: newer ones do.
function quote(text) {
  gsub(/&amp;/, "\\&", text)
  gsub(/&lt;/, "<", text)
  text = escape(text)
  gsub(/"/, "\\&quot;", text)
  return text
}

# First file: the palette.
FNR == NR {
  if (match($0, /^colour_[a-z0-9]+ = '#[0-9a-f]+'/)) {
    name = substr($1, 8)
    hex = substr($3, 2, 7)
    if (hex != "#000000") name_of[hex] = name
  }
  next
}

/^<svg/ { in_head = 1 }
in_head && /viewBox=/ { view = attribute(" " $0, "viewBox"); next }
in_head { if (/^>/) in_head = 0; next }
/^<\?xml/ || /^<title>/ || /^<desc>/ || /^<\/svg>/ || /^[ \t]*$/ { next }
/<defs>/ { in_defs = 1; next }
/<\/defs>/ { in_defs = 0; next }
in_defs {
  if (match($0, /id='gp[A-Za-z0-9]+'/))
    definition[substr($0, RSTART + 4, RLENGTH - 5)] = $0
  next
}

{
  rest = $0
  sub(/^[ \t]+/, "", rest)
  while (rest != "") {
    # A text element is one piece, whatever spans gnuplot puts inside.
    if (rest ~ /^<text[ >]/) {
      sub(/^<text[^>]*>/, "", rest)   # newer ones: xml:space="preserve"
      end = index(rest, "</text>")
      text = substr(rest, 1, end - 1)
      gsub(/<tspan[^>]*fill="none"[^>]*>[^<]*<\/tspan>/, " ", text)
      if (text !~ /<tspan[^>]*(font-style|font-weight|baseline|dy=|font-size)/)
        gsub(/<\/?tspan[^>]*>/, "", text)
      sub(/^ +/, "", text)
      sub(/ +$/, "", text)
      if (text != "") emit("<text>" text "</text>")   # a tic without a name
      rest = substr(rest, end + 7)
    } else if (rest ~ /^<title>/) {
      rest = substr(rest, index(rest, "</title>") + 8)
    } else if (rest ~ /^</) {
      while ((end = index(rest, ">")) == 0) {   # long paths span lines
        if ((getline line) <= 0) fail("gnuplot's SVG ends inside a tag")
        rest = rest " " line
      }
      tag = substr(rest, 1, end)
      rest = substr(rest, end + 1)
      if (match(tag, /showHypertext\(evt,'[^']*'/)) {
        hypertext = substr(tag, RSTART + 19, RLENGTH - 20)
        tag = "<g>"
      } else if (tag ~ /^<use / && hypertext != "") {
        gsub(/'/, "\"", tag)
        emit(spot(" " tag, hypertext))
        hypertext = ""
        sub(/^[ \t]+/, "", rest)
        continue
      }
      if (tag ~ /^<g id="gnuplot/) tag = "<g>"
      if (tag ~ /^<rect x="0" y="0"/) continue   # the page is the background
      if (tag ~ /^<\//) emit(tag)
      else emit(clean(tag))
    } else {
      fail("cannot read gnuplot's SVG at: " rest)
    }
    sub(/^[ \t]+/, "", rest)
  }
}

# Does a group that only sets the stroke hold anything that is stroked?
function strokes(i,   depth) {
  if (body[i] !~ /^<g stroke-width="[0-9.]+">$/) return 1
  for (depth = 1; depth > 0; ) {
    i++
    if (body[i] ~ /^<g/) depth++
    else if (body[i] == "</g>") depth--
    else if (body[i] !~ / stroke="none"/ && body[i] !~ /^(<text>|spot )/)
      return 1
  }
  return 0
}

# Groups without content say nothing; groups without attributes neither.
function prune(   i, n, depth, opener, plain, changed, last_group) {
  do {
    changed = 0
    n = 0
    for (i = 1; i <= n_body; i++) {
      if (body[i] ~ /^<g/ && i < n_body && body[i + 1] == "</g>") {
        i++
        changed = 1
      } else if (body[i] ~ /^<path d="M[-0-9.,]+ *"/) {
        changed = 1          # a line of one point
      } else {
        body[++n] = body[i]
      }
    }
    n_body = n
  } while (changed)
  depth = n = 0
  for (i = 1; i <= n_body; i++) {
    if (body[i] ~ /^<g/) {
      plain[++depth] = body[i] == "<g>" || !strokes(i)
      if (plain[depth]) continue
    } else if (body[i] == "</g>") {
      if (plain[depth--]) continue
    }
    body[++n] = body[i]
  }
  n_body = n
  # A group that opens as the one before closed goes on with it.
  n = 0
  for (i = 1; i <= n_body; i++) {
    if (body[i] ~ /^<g / && body[i] == last_group && body[n] == "</g>") {
      n--
    } else {
      if (body[i] ~ /^<g/) last_group = body[i]
      body[++n] = body[i]
    }
  }
  n_body = n
  # A group around one text: the text takes its attributes.
  n = 0
  for (i = 1; i <= n_body; i++) {
    if (body[i] ~ /^<g / && body[i + 1] ~ /^<text>/ && body[i + 2] == "</g>") {
      opener = body[i]
      sub(/^<g/, "<text", opener)
      body[++n] = opener substr(body[i + 1], 7)
      i += 2
    } else {
      body[++n] = body[i]
    }
  }
  n_body = n
}

# One decimal is a sixth of a pixel at the size a figure is shown.
function tidy(number) {
  number = sprintf("%.1f", number)
  sub(/\.0$/, "", number)
  return number == "-0" ? "0" : number
}

# The points of a polygon as a path; shorter for a rectangle.
function path_of(points,   p, x, y, n, i, d) {
  n = split(points, p, " ")
  for (i = 1; i <= n; i++) {
    x[i] = substr(p[i], 1, index(p[i], ",") - 1)
    y[i] = substr(p[i], index(p[i], ",") + 1)
  }
  d = "M" tidy(x[1]) " " tidy(y[1])
  if (n == 4 && y[1] == y[2] && x[2] == x[3] && y[3] == y[4] && x[4] == x[1])
    return d "h" tidy(x[2] - x[1]) "v" tidy(y[3] - y[2]) "h" \
      tidy(x[1] - x[2]) "z"
  for (i = 2; i <= n; i++)
    d = d "L" tidy(x[i]) " " tidy(y[i])
  return d "z"
}

# Shapes of one look that follow each other become one path: a map of a
# thousand words is then a few kilobytes.
function join_shapes(   i, n, look, last, points) {
  n = 0
  last = ""
  for (i = 1; i <= n_body; i++) {
    if (body[i] ~ /^<polygon /) {
      points = attribute(body[i], "points")
      look = without(body[i], "points")
      sub(/^<polygon/, "<path", look)
      if (look == last) shapes[n] = shapes[n] path_of(points)
      else { shapes[++n] = path_of(points); last = look }
      body[n] = look
    } else if (body[i] ~ /^<path /) {
      points = attribute(body[i], "d")
      look = without(body[i], "d")
      sub(/ +$/, "", points)
      if (look == last) shapes[n] = shapes[n] points
      else { shapes[++n] = points; last = look }
      body[n] = look
    } else {
      body[++n] = body[i]
      last = ""
    }
  }
  n_body = n
  for (i = 1; i <= n_body; i++)
    if (i in shapes) body[i] = with(body[i], "d=\"" shapes[i] "\"")
}

# Points of one look that follow each other share a group for it.
function join_points(   i, n, tag, look, last, joined) {
  last = ""
  for (i = 1; i <= n_body; i++) {
    tag = body[i]
    if (tag !~ /^<use /) {
      if (last != "") { joined[++n] = "</g>"; last = "" }
      joined[++n] = tag
      continue
    }
    look = "<g" (attribute(tag, "color") == "" ? "" : \
      " color=\"" attribute(tag, "color") "\" class=\"" \
      attribute(tag, "class") "\"") ">"
    if (look != last) {
      if (last != "") joined[++n] = "</g>"
      joined[++n] = look
      last = look
    }
    joined[++n] = without(without(tag, "color"), "class")
  }
  if (last != "") joined[++n] = "</g>"
  for (i = 1; i <= n; i++) body[i] = joined[i]
  n_body = n
}

# Spots of one panel that follow each other share a group.
function join_spots(   i, n, panel, last, joined) {
  last = ""
  for (i = 1; i <= n_body + 1; i++) {
    panel = ""
    if (i <= n_body && body[i] ~ /^spot /)
      panel = substr(body[i], 6, index(body[i], "\t") - 6)
    if (last != "" && panel != last) joined[++n] = "</g>"
    if (panel != "" && panel != last)
      joined[++n] = "<g class=\"spots\" data-panel=\"" panel \
        "\" fill=\"none\" stroke=\"none\" pointer-events=\"all\">"
    last = panel
    if (i <= n_body)
      joined[++n] = panel == "" ? body[i] : \
        substr(body[i], index(body[i], "\t") + 1)
  }
  for (i = 1; i <= n; i++) body[i] = joined[i]
  n_body = n
}

# The point symbols in use, and those that these use.
function want(symbol) {
  if (symbol in wanted) return
  wanted[symbol] = 1
  if (match(definition[symbol], /href='#[A-Za-z0-9]+'/))
    want(substr(definition[symbol], RSTART + 7, RLENGTH - 8))
}

function print_definitions(   i, symbol, n, text) {
  for (i = 1; i <= n_body; i++)
    if (match(body[i], /href="#[^"]*-gp[A-Za-z0-9]+"/)) {
      symbol = substr(body[i], RSTART, RLENGTH - 1)
      sub(/.*-gp/, "gp", symbol)
      want(symbol)
    }
  for (i = 0; i <= 15; i++) {
    symbol = i == 15 ? "gpDot" : "gpPt" i
    if (!(symbol in wanted)) continue
    text = definition[symbol]
    sub(/^[ \t]+/, "", text)
    gsub(/'/, "\"", text)
    sub(/xlink:href="#/, "href=\"#" id "-", text)
    sub(/ id="/, "&" id "-", text)
    if (!n++) print "<defs>"
    print text
  }
  if (n) print "</defs>"
}

# The most pixels that the drawing takes up across.
function shown_width(   part) {
  split(view, part, " ")
  return part[3] * (width == "narrow" ? 1.4 : 1.2)
}

function print_style(   name, key, part, n, rule, i, j, swap) {
  print "<style>"
  printf "#%s{width:100%%;max-width:var(--max);height:auto;" \
    "margin:0 auto}\n", id
  printf "#%s text{font-family:var(--sans,\"TeX Gyre Heros\",Helvetica," \
    "Arial,sans-serif)}\n", id
  for (key in used_class) {
    split(key, part, SUBSEP)
    rule[++n] = sprintf("#%s .%s-%s{%s:var(--fig-%s,%s)}", id, \
      substr(part[1], 1, 1), part[2], part[1], part[2], used_class[key])
  }
  for (i = 1; i < n; i++)    # in a fixed order
    for (j = i + 1; j <= n; j++)
      if (rule[j] < rule[i]) {
        swap = rule[i]; rule[i] = rule[j]; rule[j] = swap
      }
  for (i = 1; i <= n; i++) print rule[i]
  print "</style>"
}

END {
  if (failed) exit 1
  if (view == "") fail("gnuplot wrote no picture")
  prune()
  join_shapes()
  join_points()
  join_spots()
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"%s\" " \
    "data-machines=\"%s\" class=\"plot %s\" viewBox=\"%s\" " \
    "role=\"img\" aria-labelledby=\"%s-title %s-desc\" " \
    "font-family=\"sans-serif\" fill=\"none\" stroke=\"currentColor\" " \
    "style=\"--max:%dpx\">\n", id, machines, width, view, id, id,
    shown_width()
  printf "<title id=\"%s-title\">%s</title>\n", id, escape(title)
  printf "<desc id=\"%s-desc\">%s</desc>\n", id, escape(description)
  print_style()
  print_definitions()
  for (i = 1; i <= n_body; i++) print body[i]
  print "</svg>"
}
