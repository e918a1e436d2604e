# What makes a PDF unfit: a character that no font has, a line that sticks out
# by more than 2 points, a reference to nowhere.
#
#   awk [-v readers=yes] [-v aux=book.aux] [-v pdf=NAME] -f check_log.awk book.log
#
# With readers' results a layout that does not fit is no error: it is reported
# with its page, and the table, figure or listing it is in, for a reader has
# never seen the generated files. warpbook.sty writes into the log where TeX is:
# "warp: page 12" when a page is done, "warp: in Table 4.2 tbl:name" and "warp:
# out" around what has a caption, "warp: chapter Title". The pages of labels are
# in the .aux.

BEGIN {
  while (aux != "" && (getline line < aux) > 0)
    if (sub(/^\\newlabel\{/, "", line)) {
      label = line
      sub(/\}.*/, "", label)
      sub(/^[^}]*\}\{\{[^{}]*\}\{/, "", line)
      sub(/\}.*/, "", line)
      page_of[label] = line
    }
  label = ""
}

# TeX breaks the lines of its log after 79 characters: join them.
{
  line = held $0
  if (length($0) == 79) { held = line; next }
  held = ""
}

line ~ /^warp: page / { shipped = substr(line, 12); next }
line ~ /^warp: chapter / { chapter = substr(line, 15); inside = ""; next }
line ~ /^warp: out/ { inside = ""; next }
line ~ /^warp: in / {
  inside = substr(line, 10)
  label = ""
  if (match(inside, / [a-z]+:[^ ]*$/)) {
    label = substr(inside, RSTART + 1)
    inside = substr(inside, 1, RSTART - 1)
  }
  gsub(/~/, " ", inside)
  sub(/ +$/, "", inside)
  next
}

# The chapter that is being read: files open with "(./name.tex".
match(line, /\(\.\/[A-Za-z0-9_]+\.(tex|ind)/) {
  file = substr(line, RSTART + 3, RLENGTH - 3)
}

# "page 70, Table 4.2": a float or a cell may come a page later than its label.
function place(   text) {
  if (inside != "" && label in page_of)
    return "page " page_of[label] ", " inside
  text = "page " (shipped ~ /^[0-9]+$/ ? shipped + 1 : "after " shipped)
  if (shipped == "") text = "page 1"
  if (inside != "") return text ", " inside
  return text (chapter == "" ? "" : ", in \"" chapter "\"")
}

function complain(what, remedy) {
  if (inside != "" || chapter != "") what = what " (" place() ")"
  if (what in said) return
  said[what] = 1
  printf "%s: error: %s\n  %s\n", file, what, remedy > "/dev/stderr"
  failed = 1
}

function warn(what) {
  what = place() ": " what
  if (what in said) return
  said[what] = 1
  printf "%s: warning: %s\n", pdf == "" ? "PDF" : pdf, what > "/dev/stderr"
  warned++
}

line ~ /^Missing character: / {
  what = substr(line, 20)
  if (readers) {
    sub(/ in font .*/, "", what)
    sub(/^There is no /, "", what)
    warn("the book's fonts lack the character " what)
  } else {
    complain(what, "no font of the book has this character: write " \
      "it otherwise, or add it in book/latex/warpbook.sty")
  }
}

line ~ /^Overfull \\hbox \(/ {
  width = line
  sub(/^Overfull \\hbox \(/, "", width)
  if (width + 0 > 2 && readers)
    warn(sprintf("something is %.0f points too wide", width))
  else if (width + 0 > 2)
    complain(line, "break the word, the formula or the table differently")
}

line ~ /^Overfull \\vbox \(/ {
  height = line
  sub(/^Overfull \\vbox \(/, "", height)
  if (height + 0 > 2 && readers)
    warn(sprintf("something is %.0f points too high", height))
  else if (height + 0 > 2)
    complain(line, "something is higher than a page: cut it in two")
}

line ~ /^LaTeX Warning: (Reference|Hyper reference|Citation) .* undefined/ ||
line ~ /^LaTeX Warning: Label .* multiply defined/ ||
line ~ /^Package hyperref Warning: .*(undefined|multiply)/ ||
line ~ /^LaTeX Warning: File .* not found/ {
  complain(line, "correct the reference in the chapter")
}

END {
  if (warned)
    printf "  The PDF is complete. There it may look crowded, or stick out " \
      "into the margin:\n  numbers and names of other machines take more or " \
      "less space than ours.\n" > "/dev/stderr"
  exit failed
}
