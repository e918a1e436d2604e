# Reads the kernel that forms.awk makes and writes it anew with each operand in
# turn replaced by a name that nothing declares. Left out are operands that a
# register must follow even to be read: after a sign or a guard's mark.
/^  \./ || !/^  .*;$/ || /^  ret;/ {
  print
  next
}
match($0, /^  (@!?%p[0-9]+ )?[^ ]+ /) {
  head = substr($0, 1, RLENGTH)
  rest = substr($0, RLENGTH + 1)
  while (match(rest, /[-!@]?%[a-z]+[0-9]+(\.[bhxyzw][0-9]*)?/)) {
    if (substr(rest, RSTART, 1) == "%")
      print head substr(rest, 1, RSTART - 1) "nosuch" \
        substr(rest, RSTART + RLENGTH)
    head = head substr(rest, 1, RSTART + RLENGTH - 1)
    rest = substr(rest, RSTART + RLENGTH)
  }
}
