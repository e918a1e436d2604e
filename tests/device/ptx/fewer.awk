# Reads the kernel that forms.awk makes and writes it anew with each instruction
# as many times as it has operands: without all of them, with the first, with
# the first two and so on.
/^  \./ || !/^  .*;$/ || /^  ret;/ {
  print
  next
}
match($0, /^  (@!?%p[0-9]+ )?[^ ]+ /) {
  head = substr($0, 1, RLENGTH)
  rest = substr($0, RLENGTH + 1)
  depth = 0
  print head ";"
  for (i = 1; i < length(rest); i++) {
    c = substr(rest, i, 1)
    if (c ~ /[[{(]/)
      depth++
    else if (c ~ /[]})]/)
      depth--
    else if (c == "," && depth == 0)
      print head substr(rest, 1, i - 1) ";"
  }
}
