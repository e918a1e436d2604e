# Checks the promises of figures/common/svg.lua on SVG files: well-formed,
# ids unique in all files together and led by the figure's own, links that
# lead somewhere, title and description, size by viewBox, text as text, no
# background, no script, no colour that a theme cannot change.

function bad(message) {
  printf "%s: %s\n", FILENAME, message > "/dev/stderr"
  n_bad++
}

function attribute(tag, name,   rest) {
  if (!match(tag, "[ \t\n]" name "=\"")) return ""
  rest = substr(tag, RSTART + RLENGTH)
  return substr(rest, 1, index(rest, "\"") - 1)
}

function finish(   i) {
  if (file == "") return
  if (depth != 0) bad("tag <" open[depth] "> is not closed")
  if (n_texts == 0) bad("no text")
  if (!has_title || !has_description) bad("no title or description")
  for (i = 1; i <= n_links; i++)
    if (!(links[i] in id_of)) bad("link to " links[i] ", which is not there")
}

function check_root(tag) {
  figure = attribute(tag, "id")
  if (figure !~ /^fig-/) bad("the drawing's id is '" figure "'")
  if (attribute(tag, "role") != "img") bad("no role")
  if (attribute(tag, "aria-labelledby") != figure "-title " figure "-desc")
    bad("title and description are not its label")
  if (attribute(tag, "viewBox") == "") bad("no viewBox")
  if (tag ~ /[ ](width|height)=/) bad("a fixed size")
  if (tag ~ /xlink/) bad("xlink")
}

function check_tag(tag, name,   id, link, colour, kinds, i) {
  id = attribute(tag, "id")
  if (id != "") {
    if (id in id_of) bad("id " id " is there twice")
    if (index(id, figure) != 1) bad("id " id " could meet another figure's")
    id_of[id] = FILENAME
  }
  link = attribute(tag, "href")
  if (link != "" && link !~ /^data:image\/png;base64,/) {
    if (substr(link, 1, 1) != "#") bad("a link out of the page: " link)
    links[++n_links] = substr(link, 2)
  }
  if (tag ~ /[ ]on[a-z]+=/ || name == "script") bad("a script")
  if (tag ~ /xlink/) bad("xlink")
  if (name == "rect" && attribute(tag, "x") == "0") bad("a background")
  split("fill stroke color", kinds, " ")
  for (i in kinds) {
    colour = attribute(tag, kinds[i])
    if (colour == "" || colour == "none" || colour == "currentColor") continue
    if (attribute(tag, "class") !~ ("(^| )" substr(kinds[i], 1, 1) "-"))
      bad("colour " colour " that no theme can change")
  }
  if (name == "text") n_texts++
}

FNR == 1 {
  finish()
  file = FILENAME
  depth = n_texts = n_links = has_title = has_description = 0
}

{ text = text $0 "\n" }

{
  while ((start = index(text, "<")) > 0) {
    end = index(text, ">")
    if (end == 0) break
    content = substr(text, 1, start - 1)
    if (content ~ /&/ && content !~ /&(amp|lt|gt|quot|#[0-9]+);/)
      bad("a bare &: " content)
    tag = substr(text, start, end - start + 1)
    text = substr(text, end + 1)
    name = tag
    gsub(/^<\/?|[ \t\n\/>].*$/, "", name)
    if (tag ~ /^<\//) {
      if (open[depth] != name)
        bad("</" name "> closes <" open[depth] ">")
      if (name == "title" && content != "") has_title = 1
      if (name == "desc" && content != "") has_description = 1
      depth--
      continue
    }
    if (depth == 0 && name == "svg") check_root(tag)
    check_tag(tag, name)
    if (tag !~ /\/>$/) open[++depth] = name
  }
}

END {
  finish()
  exit n_bad > 0
}
