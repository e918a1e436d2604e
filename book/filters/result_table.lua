-- `::: {.result-table #tbl:name source="slug/experiment" columns="…"}`: rows
-- of a result file.  And `::: {#tbl:name}` around a table of the chapter's
-- own, which gives it a number.

local settings = require 'settings'
local diagnostics = require 'diagnostics'
local results = require 'results'
local conditions = require 'conditions'
local provenance = require 'provenance'
local caption = require 'caption'
local format = require 'format'
local units = require 'units'
local escape = require 'escape'
local source = require 'source'

local need = diagnostics.need

-- ---- Columns: "n_bytes*1e-6=Size (MB):1, version=Version" -----------------

local function column_options(spec)
  local heading, kind, figures = spec:match('^(.*):(s?)(%d+)$')
  if not heading then return spec, {} end
  if kind == 's' then return heading, {significant = figures} end
  return heading, {digits = figures}
end

local function parse_column(text)
  local name, scale, rest =
    text:match('^%s*([%w_]+)%s*%*%s*([%w.+-]+)%s*=(.+)$')
  if not name then name, rest = text:match('^%s*([%w_]+)%s*=(.+)$') end
  need(name, string.format("cannot read the column '%s'", text),
       'write column=Heading or column=Heading:digits')
  local heading, attributes = column_options(rest:match('^%s*(.-)%s*$'))
  attributes.scale = scale
  return {name = name, heading = heading, options = format.options(attributes)}
end

local function parse_columns(text)
  local list = {}
  for part in (text .. ','):gmatch('([^,]*),') do
    list[#list + 1] = parse_column(part)
  end
  return list
end

-- "Time (ms)" over a column in µs is as wrong as behind a number.
local function check_unit(column)
  local unit = column.heading:match('%(([^()]+)%)%s*$')
  if not unit then return end
  local message, remedy = units.mismatch(column.name, unit,
                                         column.options.scale)
  if message then
    diagnostics.throw(message, (remedy:gsub('scale=', column.name .. '*')))
  end
end

-- ---- Cells --------------------------------------------------------------

-- What a reader's run should not have written is shown as missing.
local missing = '–'

local function cell_text(file, row, column)
  local index = file.column[column.name]
  if row[index] == '' then return '' end
  if file.readers then
    local ok, value = pcall(results.value, file, row, index)
    if not ok then return missing end
    return format.value(value, column.options, true)
  end
  return format.value(results.value(file, row, index), column.options)
end

local function is_numeric(file, rows, column)
  for _, row in ipairs(rows) do
    local cell = row[file.column[column.name]]
    if cell ~= '' and not tonumber(cell) and
       not (file.readers and results.is_none(cell)) then
      return false
    end
  end
  return true
end

local function plain(text)
  return text ~= '' and {pandoc.Plain(text)} or {}
end

-- A pandoc Table of these rows.
local function grid(file, rows, columns, title)
  local aligns, widths, headers, body = {}, {}, {}, {}
  for i in ipairs(rows) do body[i] = {} end
  for j, column in ipairs(columns) do
    local numeric = is_numeric(file, rows, column)
    aligns[j] = numeric and 'AlignRight' or 'AlignLeft'
    widths[j] = 0
    headers[j] = plain(column.heading)
    for i, row in ipairs(rows) do
      body[i][j] = plain(cell_text(file, row, column))
    end
  end
  return pandoc.utils.from_simple_table(
    pandoc.SimpleTable(title, aligns, widths, headers, body))
end

-- ---- Blocks -------------------------------------------------------------

local function scrolling(table_, label)
  return pandoc.List {
    pandoc.RawBlock('html', string.format(
      '<section class="table-scroll" data-scrolls="" ' ..
      'tabindex="0" aria-label="%s">', escape.html(label))),
    table_,
    pandoc.RawBlock('html', '</section>'),
  }
end

local function provenance_line(entry)
  local text = provenance.measured(entry) .. ', ' .. entry.name .. '.'
  local line = pandoc.List {provenance.link(entry, text)}
  local doubt = provenance.doubt(entry.file)
  if doubt then
    line:extend {pandoc.Space(), provenance.doubt_note(doubt)}
  end
  return pandoc.Div(pandoc.Plain(line), {class = 'measured'})
end

local function html_part(data, columns, title, label)
  local blocks = scrolling(grid(data.file, data.rows, columns, title), label)
  blocks:insert(provenance_line(data.entry))
  return blocks
end

local function html(parts)
  local label = caption.label(parts.id) or 'Table'
  local title = caption.html(parts.id, parts.caption)
  local blocks = html_part(parts.data[1], parts.columns, title, label)
  for i = 2, #parts.data do
    local beside = label .. ' on ' .. provenance.gpu(parts.data[i].file)
    blocks:insert(pandoc.RawBlock('html',
      '<details class="reference">\n<summary>' .. escape.html(beside) ..
      '</summary>'))
    blocks:extend(html_part(parts.data[i], parts.columns, {}, beside))
    blocks:insert(pandoc.RawBlock('html', '</details>'))
  end
  return blocks
end

local function latex(parts)
  local blocks = pandoc.List {
    caption.raw('\\begin{booktable}{' .. parts.id .. '}'),
    caption.block(parts.id, parts.caption),
  }
  for _, data in ipairs(parts.data) do
    local doubt = provenance.doubt(data.file)
    local text = provenance.short(data.entry) .. (doubt and '. ' .. doubt or '')
    blocks:extend {
      grid(data.file, data.rows, parts.columns, {}),
      caption.raw('\\bookdata{' .. escape.latex(text) .. '}'),
    }
  end
  blocks:insert(caption.raw('\\end{booktable}'))
  return blocks
end

local function wrap(id, class, blocks)
  return pandoc.Div(blocks, pandoc.Attr(settings.latex and '' or id, {class}))
end

-- ---- Result tables ------------------------------------------------------

local function data_of(mine, slug, experiment, machine, where, columns)
  local file = results.locate(slug, experiment, machine, mine)
  for _, column in ipairs(columns) do
    results.column(file, column.name)
    check_unit(column)
  end
  return {file = file, entry = provenance.cite(file),
          rows = results.select(file, conditions.parse(where), true)}
end

-- The rows of each reader's machine that measured this experiment; then the
-- reference's.
local function all_data(...)
  local list = {}
  for _, mine in ipairs(settings.machines) do
    local ok, data = pcall(data_of, mine, ...)
    if ok and data.file.readers == mine then list[#list + 1] = data end
  end
  list[#list + 1] = data_of(false, ...)
  return list
end

local function result_table(el)
  local attributes = el.attributes
  local slug, experiment, machine =
    (attributes.source or ''):match('^([%w_%-]+)/([%w_%-]+)@?([%w_%-]*)$')
  need(slug, 'a result table without a readable source',
       'write source="slug/experiment"')
  need(el.identifier:match('^tbl:'), 'a result table without a label',
       'write #tbl:name')
  need(attributes.columns, 'a result table without columns',
       'write columns="column=Heading,…"')
  need(not caption.is_empty(el.content), 'a result table without a caption',
       'write a sentence between the two ::: lines')
  machine = attributes.machine or machine ~= '' and machine or nil
  local columns = parse_columns(attributes.columns)
  local where = attributes.where or ''
  local parts = {id = el.identifier, columns = columns,
                 data = machine and
                   {data_of(false, slug, experiment, machine, where, columns)}
                   or all_data(slug, experiment, nil, where, columns),
                 caption = caption.inlines(el.content)}
  return wrap(el.identifier, 'result-table',
              settings.latex and latex(parts) or html(parts))
end

-- ---- Tables written in the chapter ---------------------------------------

local function labelled_table(el)
  local found
  for _, block in ipairs(el.content) do
    if block.t == 'Table' then found = block end
  end
  need(found, "'" .. el.identifier .. "' holds no table",
       'put ::: {#tbl:name} around one')
  local title = caption.inlines(found.caption.long)
  need(not caption.is_empty(title),
       "table '" .. el.identifier .. "' has no caption",
       'write ": Caption." below it')
  found.caption.long = settings.latex and {} or
                       {pandoc.Plain(caption.html(el.identifier, title))}
  if not settings.latex then
    return wrap(el.identifier, 'table',
                scrolling(found, caption.label(el.identifier)))
  end
  return wrap(el.identifier, 'table', {
    caption.raw('\\begin{booktable}{' .. el.identifier .. '}'),
    caption.block(el.identifier, title), found,
    caption.raw('\\end{booktable}'),
  })
end

-- Other filters read a label there. These do not: the braces would be printed,
-- and no link could lead to the table.
local function check_caption(el)
  local label = el.identifier:match('^tbl:.*') or
    pandoc.utils.stringify(caption.inlines(el.caption.long))
      :match('{#(tbl:[^%s}]*)')
  if label then
    diagnostics.throw("a table's caption holds the label '" .. label .. "'",
                      'put ::: {#' .. label .. '} around the table instead')
  end
end

-- ---- The filter ---------------------------------------------------------

local function labelled_caption(el)
  diagnostics.try(table.pack(source.words(caption.inlines(el.caption.long)),
                             '{#tbl:'), check_caption, el)
end

local function div(el)
  local make
  if el.classes:includes('result-table') then
    make = result_table
  elseif el.identifier:match('^tbl:') then
    make = labelled_table
  end
  if not make then return nil end
  local needles = table.pack(el.identifier ~= '' and '#' .. el.identifier,
                             source.words(el.content), el.attributes.source,
                             '.result-table')
  return diagnostics.try(needles, make, el)
end

return {{Div = div, Table = labelled_caption}}
