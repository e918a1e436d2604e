# Where the names of a roofline's points go: right of each point, or if
# another name is there, the nearest place above or below. Names are about
# `letter` units wide for each character and `line` units high. A name that is
# not beside its point gets a line to it.
#
#   awk -v x=… -v y=… (columns) -v x_low=… -v x_high=… -v y_low=… -v y_high=…
#     -v width=… -v height=… (units) -v where='slug=…' [-v slugs=1]
#     [-v only='version …'] -f roofline.awk CSV
#
# Prints version,label_x,label_y and the line from from_x,from_y by by_x,by_y
# (0,0: none), on the axes' scales; with slugs=1 the slugs of the points instead.
# Points outside of the axes have no name.

function from_left(v) { return width * log(v / x_low) / log(x_high / x_low) }
function from_below(v) { return height * log(v / y_low) / log(y_high / y_low) }

# Is the box free, at this height?
function is_free(left, below, wide,   i) {
  for (i = 1; i <= n_boxes; i++)
    if (left < box_right[i] && left + wide > box_left[i] &&
        below < box_below[i] + box_high[i] && below + line > box_below[i])
      return 0
  return below > 0 && below + line < height
}

function box(left, below, wide, high) {
  n_boxes++
  box_left[n_boxes] = left
  box_right[n_boxes] = left + wide
  box_below[n_boxes] = below
  box_high[n_boxes] = high
}

function to_x(v) { return x_low * exp(v / width * log(x_high / x_low)) }
function to_y(v) { return y_low * exp(v / height * log(y_high / y_low)) }

# From the rim of the point to the end of its name; none for a neighbour.
function line_to(x0, y0, x1, y1,   length_, part) {
  length_ = sqrt((x1 - x0) ^ 2 + (y1 - y0) ^ 2)
  if (length_ < 1.4 * line)
    return sprintf("%.6g,%.6g,0,0", to_x(x0), to_y(y0))
  part = 4 / length_
  x0 += part * (x1 - x0)
  y0 += part * (y1 - y0)
  return sprintf("%.6g,%.6g,%.6g,%.6g", to_x(x0), to_y(y0),
                 to_x(x1) - to_x(x0), to_y(y1) - to_y(y0))
}

function place(i,   wide, left, middle, k, side, s, found) {
  wide = length(version[i]) * letter
  for (k = 0; k < 40 && !found; k++)
    for (s = 1; s >= -1 && !found; s -= 2)
      for (side = 1; side >= -1 && !found; side -= 2) {
        left = side == 1 ? at_x[i] + gap : at_x[i] - gap - wide
        middle = at_y[i] + s * k * line / 4
        if (left > 0 && left + wide < width &&
            is_free(left, middle - line / 2, wide))
          found = 1
      }
  if (!found) {
    left = at_x[i] + gap
    middle = at_y[i]
  }
  box(left, middle - line / 2, wide, line)
  printf "%s,%.6g,%.6g,%s\n", version[i], to_x(left), to_y(middle),
    line_to(at_x[i], at_y[i], left > at_x[i] ? left - 1 : left + wide + 1,
            middle)
}

BEGIN {
  FS = ","
  letter = 6.2   # a sans serif of 10 pixels, of the wider ones
  line = 11
  gap = 6
  n_tests = split(where, tests, " ")
}
/^#/ { next }
!n_columns {
  n_columns = NF
  for (i = 1; i <= NF; i++)
    column[$i] = i
  next
}
{
  for (i = 1; i <= n_tests; i++) {
    split(tests[i], pair, "=")
    if ($column[pair[1]] != pair[2])
      next
  }
  if ($column[x] < x_low || $column[x] > x_high || $column[y] < y_low ||
      $column[y] > y_high)
    next
  if (slugs && !seen[$column["slug"]]++)
    list = list " " $column["slug"]
  plain[++n] = version[n] = $column["version"]
  gsub(/_/, " ", version[n])
  at_x[n] = from_left($column[x])
  at_y[n] = from_below($column[y])
  box(at_x[n] - 4, at_y[n] - 4, 8, 8)
}
END {
  if (slugs) {
    print substr(list, 2)
    exit
  }
  print "version,label_x,label_y,from_x,from_y,by_x,by_y"
  for (i = 1; i <= n; i++)
    if (only == "" || index(" " only " ", " " plain[i] " "))
      place(i)
}
