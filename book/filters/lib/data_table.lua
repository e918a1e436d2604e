-- A figure's data as tables and as files, folded away below it.  Raw HTML:
-- these tables are long, and building them in pandoc's tree is slow.

local provenance = require 'provenance'
local results = require 'results'
local escape = require 'escape'

local M = {}

-- A page shows the beginning of a long table, and less of it where its rows are
-- long: all rows of all tables would be most of what a browser has to read.
local most_rows, most_cells, least_rows = 40, 400, 12

local function n_shown(file)
  local fit = math.max(least_rows, most_cells // math.max(1, #file.names))
  return math.min(#file.rows, most_rows, fit)
end

-- What a reader's run should not have written is shown as missing.
local function cells(row, open, close, readers)
  local parts = {}
  for i, cell in ipairs(row) do
    if readers and results.is_none(cell) then cell = '–' end
    parts[i] = open .. escape.html(cell) .. close
  end
  return '<tr>' .. table.concat(parts) .. '</tr>\n'
end

local function note(file, entry)
  local shown = n_shown(file)
  local rows = shown == #file.rows and '' or
    string.format(' The first %d of %d rows; the CSV has all.', shown,
                  #file.rows)
  return string.format('<p>%s.%s <a href="%s" download>CSV of %s, %s</a></p>\n',
    escape.html(provenance.short(entry)), rows,
    escape.html(provenance.csv_link(file)), escape.html(entry.name),
    escape.html(provenance.gpu(file)))
end

local function one(entry, label)
  local file = entry.file
  local parts = {
    note(file, entry),
    string.format('<section class="table-scroll" data-scrolls="" ' ..
                  'tabindex="0" aria-label="Data of %s: %s">\n<table>\n' ..
                  '<thead>\n', escape.html(label),
                  escape.html(provenance.short(entry))),
    cells(file.names, '<th scope="col">', '</th>'), '</thead>\n<tbody>\n',
  }
  for i = 1, n_shown(file) do
    parts[#parts + 1] = cells(file.rows[i], '<td>', '</td>', file.readers)
  end
  parts[#parts + 1] = '</tbody>\n</table>\n</section>\n'
  return table.concat(parts)
end

function M.details(label, sources)
  local parts = {'<details class="data">\n<summary>Data of ',
                 escape.html(label), '</summary>\n'}
  for _, entry in ipairs(sources) do parts[#parts + 1] = one(entry, label) end
  parts[#parts + 1] = '</details>'
  return table.concat(parts)
end

return M
