# Breaks lines that are too long for a page of the book: at a space, where
# there is one, and the rest goes on below, further in. What stands in front
# of all lines of compute-sanitizer is repeated; a command goes on behind "\".

function cut_of(line, indent, most,    at) {
  for (at = most + 1; at > indent + 1; at--)
    if (substr(line, at, 1) == " ") return at
  return most + 1
}

BEGIN { columns = 80 }

{
  line = $0
  is_command = line ~ /^\$ /
  match(line, /^(=========)? */)
  indent = RLENGTH
  front = sprintf("%s    ", substr(line, 1, indent))
  while (length(line) > columns) {
    at = cut_of(line, indent, columns - 2 * is_command)
    rest = substr(line, at)
    sub(/^ /, "", rest)
    print substr(line, 1, at - 1) (is_command ? " \\" : "")
    line = front rest
    indent = length(front)
  }
  print line
}
