# What makes a PDF unfit: a character that no font has, a line that sticks out
# by more than 2 points, a reference to nowhere. awk -f check_log.awk book.log

# TeX breaks the lines of its log after 79 characters: join them.
{
  line = held $0
  if (length($0) == 79) { held = line; next }
  held = ""
}

# The chapter that is being read: files open with "(./name.tex".
match(line, /\(\.\/[A-Za-z0-9_]+\.(tex|ind)/) {
  file = substr(line, RSTART + 3, RLENGTH - 3)
}

function complain(what, remedy) {
  if (what in said) return
  said[what] = 1
  printf "%s: error: %s\n  %s\n", file, what, remedy > "/dev/stderr"
  failed = 1
}

line ~ /^Missing character: / {
  complain(substr(line, 20), "no font of the book has this character: write " \
    "it otherwise, or add it in book/latex/warpbook.sty")
}

line ~ /^Overfull \\hbox \(/ {
  width = line
  sub(/^Overfull \\hbox \(/, "", width)
  if (width + 0 > 2) {
    complain(line, "break the word, the formula or the table differently")
  }
}

line ~ /^Overfull \\vbox \(/ {
  height = line
  sub(/^Overfull \\vbox \(/, "", height)
  if (height + 0 > 2) {
    complain(line, "something is higher than a page: cut it in two")
  }
}

line ~ /^LaTeX Warning: (Reference|Hyper reference|Citation) .* undefined/ ||
line ~ /^LaTeX Warning: Label .* multiply defined/ ||
line ~ /^Package hyperref Warning: .*(undefined|multiply)/ ||
line ~ /^LaTeX Warning: File .* not found/ {
  complain(line, "correct the reference in the chapter")
}

END { exit failed }
