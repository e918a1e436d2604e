-- `![Caption.](figures/<slug>/<name>.gp){#fig:name alt="…"}`: the drawing
-- that gnuplot made of it, for wide columns and for phones, its caption, and its
-- data. Of a drawing, <name>.lua, the alt text is in the script.

local settings = require 'settings'
local diagnostics = require 'diagnostics'
local dependencies = require 'dependencies'
local provenance = require 'provenance'
local caption = require 'caption'
local escape = require 'escape'
local source = require 'source'
local csv = require 'csv'
local results = require 'results'
local data_table = require 'data_table'
local versions = require 'versions'

local need = diagnostics.need

local least_alt = 20     -- letters
local least_words = 4    -- different ones

-- ---- Checks -------------------------------------------------------------

local function different_words(text)
  local words = pandoc.List()
  for word in text:lower():gmatch('[%w\x80-\xff]+') do
    if not words:includes(word) then words:insert(word) end
  end
  return #words
end

local function check(id, image, alt)
  need(id:match('^fig:'), 'a figure without a label', 'write {#fig:name …}')
  need(not caption.is_empty(image.caption), 'a figure without a caption',
       'write ![Caption.](…)')
  need(alt and alt ~= '' and alt ~= pandoc.utils.stringify(image.caption),
       'a figure without an alt text of its own',
       'say in alt="…" what one sees; the caption does not')
  need(utf8.len(alt) >= least_alt,
       string.format('alt text "%s" says too little', alt),
       string.format('say in at least %d letters what one sees', least_alt))
  need(different_words(alt) >= least_words,
       string.format('alt text "%s" repeats itself', alt),
       'say what one sees: the kind of figure, its axes, and what it shows')
end

-- Slug, name and kind of figures/<slug>/<name>.gp or .lua, and the script's
-- text.
local function script(path)
  local slug, name, kind =
    path:match('^figures/([%w_%-]+)/([%w_%-]+)%.(%l+)$')
  need(kind == 'gp' or kind == 'lua', string.format("a figure from '%s'", path),
       'a figure is figures/<slug>/<name>.gp or .lua')
  local text = dependencies.read(settings.root .. '/' .. path)
  need(text, 'no file ' .. path, 'write it, or correct the path')
  return slug, name, kind, text
end

-- The built file's text.
local function built(slug, name, extension)
  local path = string.format('%s/%s/%s.%s', settings.figures, slug, name,
                             extension)
  local text = dependencies.read(path)
  if not text then
    diagnostics.throw(string.format('figure %s/%s is not built', slug, name),
      string.format('build it: ninja -C %s figures/%s/%s.%s',
                    settings.shown(settings.build), slug, name, extension))
  end
  return text
end

-- The readers' files beside a reference's; `lacking`: of machines that have none
-- or a bad one, which experiments those are.
local function readers(path, lacking)
  local files = pandoc.List()
  local slug, experiment, machine =
    path:match('^bench/([^/]+)/(.+)%.([%w_%-]+)%.csv$')
  if not slug or machine ~= settings.reference then return files end
  for _, name in ipairs(settings.machines) do
    local ok, file = pcall(results.readers, slug, experiment, name)
    if ok and file then
      files:insert(file)
    else
      lacking[name] = lacking[name] or pandoc.List()
      if ok then
        lacking[name]:insert(slug .. '/' .. experiment)
      else
        lacking[name].unfit = true
      end
    end
  end
  return files
end

-- The result files that the script's `# data:` lines name.
local function data(path, text, lacking)
  local files, number = pandoc.List(), 0
  for line in (text .. '\n'):gmatch('(.-)\r?\n') do
    number = number + 1
    local named = line:match('^[#%-]+%s*data:%s*(%S+)%s*$')
    if named then
      named = settings.of_reference(named)
      local file = csv.read(settings.root .. '/' .. named)
      if not file then
        diagnostics.throw('no file ' .. named,
          'measure it with ./course bench ' ..
          (named:match('^bench/([^/]+)/') or '') .. ', or correct the name',
          path, number)
      end
      files:insert(file)
      files:extend(readers(named, lacking))
    end
  end
  if #files == 0 then
    diagnostics.throw(path .. ' names no data',
                      string.format(
                        'add a line "%s data: bench/…csv" for every file it ' ..
                        'reads', path:match('%.lua$') and '--' or '#'),
                      path, 1)
  end
  return files
end

-- ---- HTML ---------------------------------------------------------------

-- Ids of an inlined drawing must not meet those of another one.
local function own_ids(svg, prefix)
  if svg:find('<svg[^>]-%sid="' .. prefix:gsub('%-', '%%-') .. '"') then
    return svg       -- figures/common/svg.lua has done it
  end
  local known = {}
  svg = svg:gsub('(%sid=)(["\'])([^"\']+)["\']', function(key, quote, id)
    known[id] = true
    return key .. quote .. prefix .. '-' .. id .. quote
  end)
  local function renamed(id) return known[id] and prefix .. '-' .. id or id end
  svg = svg:gsub('url%(#([^)]+)%)', function(id)
    return 'url(#' .. renamed(id) .. ')'
  end)
  return (svg:gsub('(href=["\'])#([^"\']+)', function(head, id)
    return head .. '#' .. renamed(id)
  end))
end

-- The drawing's description is the alt text.
local function describe(svg, alt)
  local text = escape.html(alt):gsub('%%', '%%%%')
  local described, count =
    svg:gsub('(<desc[^>]*>).-</desc>', '%1' .. text .. '</desc>', 1)
  if count == 1 and svg:match('<svg[^>]-aria%-labelledby') then
    return described
  end
  return (svg:gsub('<svg', '<svg role="img" aria-label="' .. text .. '"', 1))
end

local function inline_svg(svg, slug, name, alt)
  svg = svg:gsub('^.-(<svg)', '%1'):gsub(' data%-machines="[^"]*"', '', 1)
  if svg:find('<!--', 1, true) then svg = svg:gsub('<!%-%-.-%-%->', '') end
  svg = svg:match('^(.*%S)') or ''
  return describe(own_ids(svg, 'fig-' .. slug .. '-' .. name), alt)
end

-- The names of a ladder's steps lead to the listings that show them. What holds
-- links is no picture but a group.
local function with_steps(svg, path)
  local n_steps = 0
  svg = svg:gsub('(<text[^>]*>)([^<]*)(</text>)', function(head, text, tail)
    local label = versions.of_text(text)
    if not label then return nil end
    n_steps = n_steps + 1
    return string.format('<a class="step" href="#%s">%s%s%s</a>', label, head,
                         text, tail)
  end)
  if n_steps == 0 then
    diagnostics.throw('a ladder without a step: ' .. path .. ' writes no ' ..
                      "name of a version that a listing of the chapter shows",
                      'leave out .ladder, or name the bars as the tags of the ' ..
                      'listings')
  end
  return (svg:gsub('role="img"', 'role="group"'))
end

-- Readers' machines that the drawing does not show, by the list of those that
-- figures/common/draw has put into it: name → true.
local function undrawn(svg)
  local names, missing = svg:match('<svg[^>]-data%-machines="([^"]*)"'), {}
  if not names then return missing end
  for _, machine in ipairs(settings.machines) do
    missing[machine] = not (' ' .. names .. ' '):find(' ' .. machine .. ' ', 1,
                                                      true) or nil
  end
  return missing
end

-- What to say of each of them.
local function left_out(figure)
  local list = pandoc.List()
  if not figure.of_gpu or figure.alone then return list end
  for _, machine in ipairs(settings.machines) do
    if figure.undrawn[machine] then
      local name = escape.for_print(machine)
      local missing = figure.lacking[machine]
      list:extend {pandoc.Space(), pandoc.Str(
        missing and #missing > 0 and not missing.unfit and
          string.format('Not all of it was measured on %s: %s %s missing.',
                        name, table.concat(missing, ', '),
                        #missing == 1 and 'is' or 'are') or
          'The results of ' .. name .. ' cannot be drawn.')}
    end
  end
  return list
end

-- "NVIDIA H200, 2026-11-20", each a link to its entry in the list.
local function measured(figure)
  local list, known = pandoc.List(), {}
  for _, entry in ipairs(figure.sources) do
    local text = provenance.where_when(entry)
    if not known[text] and not figure.undrawn[entry.file.readers] then
      known[text] = true
      if #list > 0 then list:insert(pandoc.Str('; ')) end
      list:insert(settings.latex and pandoc.Str(text) or
                  provenance.link(entry, text))
    end
  end
  return list
end

-- "Doubtful: …" for each such source, each reason once.
local function doubts(figure)
  local list, known = pandoc.List(), {}
  for _, entry in ipairs(figure.sources) do
    local text = provenance.doubt(entry.file)
    if text and not known[text] and
       not figure.undrawn[entry.file.readers] then
      known[text] = true
      text = text:gsub('^Doubtful', '%0 on ' .. provenance.gpu(entry.file))
      list:insert(pandoc.Space())
      list:insert(settings.latex and pandoc.Str(text) or
                  provenance.doubt_note(text))
    end
  end
  return list
end

local function html(figure)
  local image = figure.image
  local line = caption.html(figure.id, image.caption)
  line:extend {pandoc.Space(),
               pandoc.Span(pandoc.List {pandoc.Str('Data: ')} ..
                           measured(figure) ..
                           pandoc.List {pandoc.Str('.')} ..
                           left_out(figure) .. doubts(figure),
                           {class = 'measured'})}
  local svg = inline_svg(figure.svg, figure.slug, figure.name, figure.alt)
  svg = svg .. '\n' .. inline_svg(figure.narrow, figure.slug,
                                  figure.name .. '-narrow', figure.alt)
  local classes = pandoc.List {'figure'} .. image.classes
  if classes:includes('ladder') then svg = with_steps(svg, image.src) end
  return pandoc.Div({
    pandoc.RawBlock('html', '<figure>\n' .. svg .. '\n<figcaption>'),
    pandoc.Plain(line),
    pandoc.RawBlock('html', '</figcaption>\n</figure>\n' ..
      data_table.details(caption.label(figure.id) or 'this figure',
                         figure.sources)),
  }, pandoc.Attr(figure.id, classes))
end

-- ---- LaTeX --------------------------------------------------------------

local function latex(figure)
  built(figure.slug, figure.name, 'pdf')
  local path = string.format('figures/%s/%s.pdf', figure.slug, figure.name)
  local more = left_out(figure) .. doubts(figure)
  if #more > 0 then more:insert(1, pandoc.Str('.')) end
  local note = pandoc.List {caption.inline('\\bookdata{')} ..
               measured(figure) .. more .. pandoc.List {caption.inline('}')}
  return pandoc.Div({
    caption.raw(string.format('\\begin{bookfigure}{%s}\n\\book%s{%s}{%s}',
      figure.id, figure.image.classes:includes('margin') and 'small' or
      'graphic', path, escape.latex(figure.alt))),
    caption.block(figure.id, figure.image.caption),
    pandoc.Plain(note),
    caption.raw('\\end{bookfigure}'),
  }, {class = 'figure'})
end

-- ---- The filter ---------------------------------------------------------

local function build(el)
  local image = el.content[1].content[1]
  local figure = {id = el.identifier, image = image,
                  alt = image.attributes.alt}
  local kind, text
  figure.slug, figure.name, kind, text = script(image.src)
  if kind == 'lua' then
    figure.svg = built(figure.slug, figure.name, 'svg')
    figure.alt = escape.unhtml(figure.svg:match('<desc[^>]*>(.-)</desc>') or '')
    if image.attributes.alt then
      diagnostics.throw('a drawing with an alt text in the chapter',
                        "write it in the script, d:alt('…'), where its " ..
                        'numbers come from results')
    end
  end
  check(figure.id, image, figure.alt)
  figure.lacking = {}
  figure.sources = data(image.src, text, figure.lacking):map(provenance.cite)
  figure.svg = figure.svg or built(figure.slug, figure.name, 'svg')
  figure.narrow = built(figure.slug, figure.name, 'narrow.svg')
  figure.of_gpu = text:find('%.reference%.csv') ~= nil or
                  text:find('%.' .. settings.reference .. '%.csv') ~= nil
  figure.undrawn = undrawn(figure.svg)
  figure.alone = figure.svg:find('<svg[^>]-data%-machines="[^"]*%(alone%)"')
  return settings.latex and latex(figure) or html(figure)
end

local function is_ours(el)
  local plain = el.content[1]
  return el.classes:includes('figure') and plain and plain.t == 'Plain' and
         plain.content[1] and plain.content[1].t == 'Image'
end

local function div(el)
  if not is_ours(el) then return nil end
  local image = el.content[1].content[1]
  local needles = table.pack(el.identifier ~= '' and '#' .. el.identifier,
                             source.words(image.caption), image.src)
  return diagnostics.try(needles, build, el) or {}
end

return {{Div = div}}
