# Expands `forms` into one kernel: see the head of that file.
function expand(text,   i, end, inner) {
  for (i = 1; i <= length(text); i = i + 1)
    if (substr(text, i, 1) == "{") {
      end = index(substr(text, i), "}") + i - 1
      inner = substr(text, i + 1, end - i - 1)
      gsub(/\\, /, "\001", inner)
      if (inner !~ /^%[a-z0-9]+$|, /)
        break
      i = end
    }
  if (i > length(text)) {
    print "  " text
    return
  }
  each(substr(text, 1, i - 1), substr(text, end + 1), inner)
}
function each(head, rest, inner,   n, i, parts, part) {
  n = split(inner, parts, ",")
  for (i = 1; i <= n; i++) {
    part = parts[i]
    gsub(/\001/, ", ", part)
    expand(head part rest)
  }
}
BEGIN {
  print ".version 9.0\n.target sm_90a\n.address_size 64"
  print ".visible .entry forms()\n{\n  .reg .pred %p<4>;"
  print "  .reg .b16 %h<8>;\n  .reg .b32 %r<8>;\n  .reg .b64 %q<8>;"
  print "  .reg .b128 %w<4>;"
}
/^[^#]/ { expand($0) }
END { print "  ret;\n}" }
