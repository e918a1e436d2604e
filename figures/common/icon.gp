# Draws the icon `icon_name` of icons.gp as objects, in a box of 30 units from
# icon_left (a share of the figure's width) and icon_y (of the second axis).
# Neighbouring cells of one kind are one box, and boxes of one colour follow
# each other, so that the page has one path for them.

icon_rows = value('icon_' . icon_name) . ' '
do for [icon_kind = 1:5] {
  do for [icon_row = 0:7] {
    icon_run = 0
    do for [icon_column = 1:9] {
      icon_at = icon_row * 9 + icon_column
      if (icon_rows[icon_at:icon_at] eq '.#o+*'[icon_kind:icon_kind]) {
        icon_run = icon_run + 1
      } else {
        if (icon_run > 0) {
          set object object_number rectangle from screen icon_left + \
            (icon_column - 1 - icon_run) * 3.75 / figure_width, \
            first icon_y + icon_row * 3.75 to screen icon_left + \
            ((icon_column - 1) * 3.75 - 0.5) / figure_width, \
            first icon_y + icon_row * 3.75 + 3.25 fillstyle solid 1 \
            noborder fillcolor rgb (icon_kind == 1 ? colour_cell : \
            colour(icon_kind - 1))
          object_number = object_number + 1
        }
        icon_run = 0
      }
    }
  }
}
