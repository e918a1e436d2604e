# The code blocks of HTML pages, without blanks: "block", the file and the
# line, then the block's lines. Captions' and tables' words are not code.

function plain(text) {
  gsub(/<[^>]*>/, "", text)
  gsub(/&lt;/, "<", text)
  gsub(/&gt;/, ">", text)
  gsub(/&quot;/, "\"", text)
  gsub(/&#39;/, "'", text)
  gsub(/&amp;/, "\\&", text)
  gsub(/[ \t\302\240]/, "", text)
  return text
}

{
  text = $0
  if (!inside && match(text, /<pre[^>]*>/)) {
    inside = 1
    text = substr(text, RSTART + RLENGTH)
    name = FILENAME
    sub(/^.*\//, "", name)
    print "block " name ":" FNR
  }
  if (inside && match(text, /<\/pre>/)) {
    inside = 0
    text = substr(text, 1, RSTART - 1)
    text = plain(text)
    if (text != "") print text
  } else if (inside) {
    text = plain(text)
    if (text != "") print text
  }
}
