# One look for every figure of the book. A script loads this file first:
#
#   figure_height = 420            # optional; the width is 640 units
#   load 'figures/common/style.gp'
#
# figures/common/draw passes: format ('svg' or 'pdf'), narrow (1: the version
# for phones, 360 units wide), output, machines (names, the reference first) and
# gpus (their GPUs, same order, one string separated by '|').

if (!exists("format")) { format = 'svg' }
if (!exists("output")) { output = '/dev/stdout' }
if (!exists("machines")) { machines = system('cat bench/reference') }
if (!exists("gpus")) { gpus = '' }
if (!exists("narrow")) { narrow = 0 }
if (!exists("figure_height")) { figure_height = 360 }

# ---- Colours. roles.lua reads these lines: colour_<name> becomes the CSS
# property --fig-<name> with this value as its default, so the page's theme
# can change it. No other colour may be used. The first four can be text on
# white (contrast 4.5:1) and lines on #111 (3:1). Lines differ by point and
# name as well, for those who cannot tell the colours apart.
colour_1 = '#0072b2'       # blue
colour_2 = '#b84f00'       # vermilion
colour_3 = '#007f5c'       # green
colour_4 = '#a84f88'       # purple
colour_muted = '#6b7280'   # notes, second things
colour_grid = '#d5dae1'    # grid lines
colour_cell = '#e4e8ee'    # memory that nobody touched
colour_ink = '#000000'     # text and axes: the page's own text colour

# ---- Roles: a colour means the same in every figure of the book. drawing/roles.lua
# reads these lines for drawings.
role_gpu = colour_1
role_cpu = colour_2
role_vendor = colour_4         # cuBLAS, cuFFT, CUB, NCCL
role_ceiling = colour_muted    # what no version can pass: a copy, a peak
role_software = colour_3       # counted by the software device
role_lane = colour_1            # a lane at work
role_lane_off = colour_cell     # it has no thread, or waits
role_lane_out = colour_2        # the guard keeps it out
role_memory = colour_2         # where something is kept
role_shared = colour_3
role_load = colour_1
role_store = colour_2
role_good = colour_3
role_bad = colour_2
role_selected = colour_1       # what a warp does in a cycle
role_wait_memory = colour_2
role_wait_result = colour_4
role_wait_unit = colour_3
role_wait_barrier = colour_muted
role_wait_code = colour_ink

colour(i) = value(sprintf("colour_%d", i))
# The same colour, see-through: opacity 0 (nothing) to 1 (solid).
faded(c, opacity) = sprintf("#%02x%s", int(255.5 - 255 * opacity), c[2:7])
# The same as a number, for `linecolor rgb variable`.
faded_number(c, opacity) = int('0x' . faded(c, opacity)[2:9])

# ---- Terminal. 640 units are 14 cm in print, so 13 units are 8 points. On a
# phone a unit is about a pixel.
figure_width = narrow ? 360.0 : 640.0
text_size = narrow ? 12 : 13
cm = 14 / figure_width
# Margins are fractions of the wide figure, `set lmargin at screen left_at(0.11)`
# and `set rmargin at screen right_at(0.80)`: the narrow one leaves as much space
# for the same words.
left_at(share) = share * 640 / figure_width * text_size / 13
right_at(share) = 1 - left_at(1 - share)
set encoding utf8
if (format eq 'svg') {
  set terminal svg size figure_width, figure_height dynamic \
    font sprintf('sans-serif,%g', text_size)
  unit = 1.0
} else {
  # gnuplot's points are a 96th of an inch where fontscale is 1.
  unit = 0.62   # points in a unit
  set terminal pdfcairo size figure_width * cm cm, figure_height * cm cm \
    font sprintf('Warp Sans,%g', text_size * unit) \
    linewidth 0.6 fontscale 0.75
}
set output output
small = sprintf(',%g', (text_size - 2) * (format eq 'svg' ? 1 : unit))
# A phone shows 360 units on some 330 pixels, and letters keep 9 pixels there.
tiny = sprintf(',%g', (text_size - (narrow ? 2 : 3)) * \
  (format eq 'svg' ? 1 : unit))

# ---- Data: comma-separated, '#' comments, columns by name only.
set datafile separator comma
set datafile commentschars '#'
set datafile columnheaders
set datafile missing NaN

# CSV of an experiment on a machine: csv('transpose/bandwidth', machine)
csv(experiment, machine) = sprintf("bench/%s.%s.csv", experiment, machine)
# ask.lua reads them; draw says with which Lua.
ask = '"${LUA:-lua5.4}" figures/common/ask.lua '
# Its rows with the given values: rows(csv(…), 'version=tile n_rows=64')
rows(file, where) = sprintf("< %s rows %s '%s'", ask, file, where)
# One value, as a string: cell(csv(…), 'version=tile', 'gb_per_s')
cell(file, where, column) = system(sprintf("%s cell %s '%s' %s", ask, file, \
  where, column))
# The different values of a column, in the file's order: a list of words; those
# of some rows only
values(file, column) = values_where(file, '', column)
values_where(file, where, column) = system(sprintf("%s values %s '%s' %s", \
  ask, file, where, column))

# ---- Machines. machine is the reference; a reader's is drawn beside it.
machine = word(machines, 1)
n_machines = words(machines)
gpu_after(s, i) = i == 1 ? s : gpu_after(s[strstrt(s, '|') + 1:*], i - 1)
gpu_cut(s) = strstrt(s, '|') ? s[1:strstrt(s, '|') - 1] : s
gpu(i) = gpu_cut(gpu_after(gpus, i))
# An experiment's CSVs of all machines, and a column's extremes in them.
csvs(experiment, i) = csv(experiment, word(machines, i)) . \
  (i < n_machines ? ' ' . csvs(experiment, i + 1) : '')
extreme(files, name, least) = real(system(sprintf("%s %s %s %s", ask, \
  least ? 'least' : 'most', name, files)))
highest(experiment, name) = extreme(csvs(experiment, 1), name, 0)
lowest(experiment, name) = extreme(csvs(experiment, 1), name, 1)
# Dash and weight by machine: reference solid, readers' dashed, dotted, …
dash(i) = i < 6 ? i : 5
dash_name(i) = word('solid dashed dotted dash-dotted dash-dot-dotted', \
  i < 6 ? i : 5)
weight(i) = i == 1 ? 2 : 1.5

# ---- Lines that differ by point and by colour.
set linetype 1 linecolor rgb colour_1 linewidth 2 pointtype 7 pointsize 0.55
set linetype 2 linecolor rgb colour_2 linewidth 2 pointtype 9 pointsize 0.7
set linetype 3 linecolor rgb colour_3 linewidth 2 pointtype 5 pointsize 0.5
set linetype 4 linecolor rgb colour_4 linewidth 2 pointtype 13 pointsize 0.7
set linetype cycle 4
point(i) = int(word('7 9 5 13', i))

# ---- Axes, grid, key.
set border 3 linecolor rgb colour_muted linewidth 1
set tics nomirror textcolor rgb colour_ink scale 0.5
set xtics offset 0, 0.2
set xlabel offset 0, 0.6
set format '%h'
set grid xtics ytics linetype 1 linecolor rgb colour_grid linewidth 1, \
  linetype 1 linecolor rgb colour_grid linewidth 0.5
set key off top left Left reverse noenhanced noautotitle samplen 2.2 spacing 1.15 \
  textcolor rgb colour_ink
set style fill solid 1 noborder
set title noenhanced
set termoption noenhanced

# The GPU's name in the top right corner, so that a figure alone says it.
short_gpu(i) = strstrt(gpu(i), 'NVIDIA ') == 1 ? gpu(i)[8:*] : gpu(i)
machine_names(i) = short_gpu(i) . ' ' . dash_name(i) . \
  (i < n_machines ? ', ' . machine_names(i + 1) : '')
corner = n_machines == 1 ? gpu(1) : machine_names(1)
set label 999 corner at graph 1, graph 1 right offset 0, 0.7 \
  font (n_machines < 3 ? small : tiny) textcolor rgb colour_muted
# The names of several need the whole width.
if (n_machines > 1) { set label 999 at screen 0.99, graph 1 }

# A whole number below a million as the text writes it: 2048, but 16 384.
grouped(x) = x < 9999.5 ? sprintf('%.0f', x) : \
  sprintf('%d %03d', int(x + 0.5) / 1000, int(x + 0.5) % 1000)

# A name of the data as words: row_column is "row column".
spaced(s) = strstrt(s, '_') ? s[1:strstrt(s, '_') - 1] . ' ' . \
  spaced(s[strstrt(s, '_') + 1:*]) : s

# ---- Powers as plain text, and tics at them: power(2, 10) is 2¹⁰.
raised(n) = n < 10 ? word('⁰ ¹ ² ³ ⁴ ⁵ ⁶ ⁷ ⁸ ⁹', int(n) + 1) : \
  raised(int(n) / 10) . raised(int(n) % 10)
power(base, n) = sprintf("%d", base) . raised(n)

# ---- A step between tics that gives at most n of them up to top.
tic_power(top, n) = 10.0 ** floor(log10(real(top) / n))
tic_step(top, n) = tic_power(top, n) * (real(top) / n <= tic_power(top, n) ? \
  1 : real(top) / n <= 2 * tic_power(top, n) ? 2 : \
  real(top) / n <= 5 * tic_power(top, n) ? 5 : 10)

# ---- Direct labels: spread() moves labels at the ends of lines apart;
# heights are fractions of the axis. crossing() is where one line dives below
# another, "" if nowhere.
fraction(y, low, high) = (y - low) / (high - low)
fraction_log(y, low, high) = log(y / low) / log(high / low)
spread(heights, gap) = system(sprintf("%s spread '%s' %g", ask, heights, gap))
crossing(file, x, low, high) = system(sprintf("%s crossing %s %s %s %s", ask, \
  file, x, low, high))
