-- `::: {.listing #lst:name source="code/…" tag="…"}` and
-- `::: {.output source="bench/…"}`: text that the book shows comes out of a
-- file that a test or a run has proven; a code block of the chapter's own is
-- an error.

local settings = require 'settings'
local diagnostics = require 'diagnostics'
local snippet = require 'snippet'
local changes = require 'changes'
local callouts = require 'callouts'
local versions = require 'versions'
local scenes = require 'scenes'
local caption = require 'caption'
local escape = require 'escape'
local source = require 'source'

local need = diagnostics.need

local languages = {
  cu = 'cuda', cuh = 'cuda', c = 'c', h = 'c', ptx = 'ptx', sass = 'sass',
  sh = 'bash', slurm = 'bash', py = 'python', f90 = 'fortran', gp = 'gnuplot',
}

local function language(path)
  return languages[path:match('%.(%w+)$') or ''] or 'text'
end

-- What makes this Div findable in the chapter's text.
local function needles(el)
  local attributes = el.attributes
  return table.pack(
    el.identifier ~= '' and '#' .. el.identifier, source.words(el.content),
    attributes.from and 'from="' .. attributes.from .. '"',
    attributes.tag and 'tag="' .. attributes.tag .. '"',
    attributes.source and 'source="' .. attributes.source .. '"',
    attributes.source, '.' .. el.classes[1])
end

-- code/transpose/transpose.cu runs as "./course run transpose", another
-- program of the folder as "./course run transpose copy".
local function run_command(el)
  if el.attributes.run then return el.attributes.run end
  local slug, program = el.attributes.source:match('^code/([^/]+)/([^/]+)%.cu$')
  if not slug or slug == 'common' then return nil end
  if slug == program then return './course run ' .. slug end
  return './course run ' .. slug .. ' ' .. program
end

-- ---- Blocks -------------------------------------------------------------

-- What the marked lines are new against: a link to the listing that shows it.
-- It looks as they do.
local function legend(base)
  local text = pandoc.List {pandoc.Str('new')}
  local label = base ~= '' and caption.label(base)
  if label then
    text:extend {pandoc.Space(), pandoc.Str('since'), pandoc.Space(),
                 pandoc.Link(label, '#' .. base, '', {class = 'ref ref-lst'})}
  end
  return pandoc.Span(text, {class = 'legend'})
end

local function header(path, run, base)
  local line = pandoc.List {pandoc.Code(path, {class = 'path'})}
  if base then line:extend {pandoc.Space(), legend(base)} end
  if run then
    line:extend {pandoc.Space(), pandoc.Code(run, {class = 'run'})}
  end
  return pandoc.Div(pandoc.Plain(line), {class = 'listing-header'})
end

-- What a page shows to readers without scripts, and paper to all: the recorded
-- run of a listing that can be stepped.
local function ran_words(scene)
  local values = scenes.values(scene)
  return 'As the software device ran it' .. (values ~= '' and ' (' .. values .. ')'
    or '') .. '. Beside the code: the instructions that warp 0 executed of each ' ..
    'line × the lanes that were there, on average.'
end

local function ran_html(scene)
  local drawing = scenes.drawing(scene)
  return pandoc.RawBlock('html', string.format(
    '<div class="step-paper"><p>%s</p>\n<picture><source media="(max-width: ' ..
    '40rem)" srcset="steps/%s.narrow.svg"><img src="steps/%s.svg" alt="%s" ' ..
    'width="%s" height="%s" loading="lazy"></picture></div>',
    escape.html(ran_words(scene)), drawing.stem, drawing.stem, (drawing.alt:gsub('"', '&quot;')),
    drawing.width, drawing.height))
end

local function ran_latex(scene)
  local drawing = scenes.drawing(scene)
  return caption.raw(string.format('\\bookran{%s}{book/stepper/%s.pdf}{%s}',
    escape.latex(ran_words(scene)), drawing.stem,
    escape.latex((drawing.alt:gsub('&(%a+);', {amp = '&', lt = '<', gt = '>'})))))
end

-- parts: id, class, path, run, text, language, attributes, caption, and where
-- lines are marked `base`, the listing that they are new against, or '';
-- where it can be stepped, `step`, its scene
local function html(parts, blocks, code)
  blocks:extend {header(parts.path, parts.run, parts.base), code}
  if parts.step then blocks:insert(ran_html(parts.step)) end
  return pandoc.Div(blocks, {id = parts.id, class = parts.class,
                             ['data-step'] = parts.step})
end

local function latex(parts, blocks, code)
  local environment = 'book' .. parts.class
  blocks:insert(1, caption.raw(string.format('\\begin{%s}{%s}', environment,
                                             parts.id)))
  blocks:extend {
    code, caption.raw(string.format('\\booksource{%s}{%s}\n\\end{%s}',
                                    escape.latex(parts.path),
                                    escape.latex(parts.run or ''),
                                    environment)),
  }
  if parts.step then blocks:insert(ran_latex(parts.step)) end
  return pandoc.Div(blocks, {class = parts.class, ['data-label'] = parts.id})
end

local function build(parts)
  local blocks = pandoc.List()
  if not caption.is_empty(parts.caption) then
    blocks:insert(caption.block(parts.id, parts.caption))
  end
  local code = pandoc.CodeBlock(
    parts.text, pandoc.Attr('', {parts.language}, parts.attributes))
  return (settings.latex and latex or html)(parts, blocks, code)
end

-- ---- Listings -----------------------------------------------------------

-- `previous` names a tag of the same file, or path#tag.
local function previous_lines(file, previous)
  local path, tag = previous:match('^(.+)#(.+)$')
  return snippet.lines(path or file, tag or previous)
end

-- And whether any line is new against the version before.
local function code_attributes(id, attributes, lines)
  local list = {{'data-source', attributes.source},
                {'data-first-line', tostring(lines[1].number)}}
  local marked = false
  if attributes.previous then
    local old = previous_lines(attributes.source, attributes.previous)
    local found = changes.between(old, lines)
    local words = changes.word_ranges(found)
    list[#list + 1] = {'data-changed', changes.ranges(found.lines)}
    if words ~= '' then list[#list + 1] = {'data-words', words} end
    marked = #found.lines > 0
  end
  local places = callouts.places(id, attributes, lines)
  if places then list[#list + 1] = {'data-callouts', places} end
  return list, marked
end

-- path#tag → the listing of this chapter that shows it.
local shown = {}

local function base_of(attributes)
  local previous = attributes.previous
  if not previous:find('#', 1, true) then
    previous = attributes.source .. '#' .. previous
  end
  return shown[previous] or ''
end

local function check_listing(el)
  need(el.attributes.source, 'a listing without a source',
       'write source="code/<slug>/<file>.cu"')
  need(el.identifier:match('^lst:'), 'a listing without a label',
       'write #lst:name')
  need(not caption.is_empty(el.content), 'a listing without a caption',
       'write a sentence between the two ::: lines')
end

local function listing(el)
  check_listing(el)
  local attributes = el.attributes
  local lines = snippet.lines(attributes.source, attributes.tag)
  local list, marked = code_attributes(el.identifier, attributes, lines)
  local base = marked and base_of(attributes) or nil
  shown[attributes.source .. '#' .. (attributes.tag or '')] = el.identifier
  versions.add(attributes.tag, el.identifier)
  local step = scenes.of(el.identifier, attributes.source)
  if step then
    list[#list + 1] = {'data-hits', scenes.hits(step, attributes.source, lines)}
  end
  return build {
    id = el.identifier, class = 'listing', base = base, path = attributes.source,
    run = run_command(el), text = snippet.text(lines),
    language = language(attributes.source),
    attributes = list, step = step,
    caption = caption.inlines(el.content),
  }
end

-- ---- Program output -----------------------------------------------------

-- Index of the first line from `start` on that holds `text`.
local function line_with(lines, text, start, path)
  for i = start, #lines do
    if lines[i].text:find(text, 1, true) then return i end
  end
  diagnostics.throw(string.format("no line of %s holds '%s'", path, text),
                    'correct from="…" or to="…", or run the program again')
end

local function output_lines(path, attributes)
  local all = snippet.lines(path)
  local from, to = attributes.from, attributes.to
  local first = from and line_with(all, from, 1, path) or 1
  local last = to and line_with(all, to, first, path) or #all
  return {table.unpack(all, first, last)}
end

local function output(el)
  local path = el.attributes.source
  path = path and settings.of_reference(path)
  need(path, 'program output without a source',
       'write source="bench/<slug>/<name>.software.txt"')
  need(path:match('^bench/') or path:match('^code/'),
       "program output from '" .. path .. "'",
       'only files under bench/ and code/ are results of runs')
  local lines = output_lines(path, el.attributes)
  return build {
    id = el.identifier, class = 'output', path = path,
    run = el.attributes.run, text = snippet.text(lines), language = 'output',
    attributes = {{'data-source', path}},
    caption = caption.inlines(el.content),
  }
end

-- ---- The filter ---------------------------------------------------------

local function div(el)
  local make = el.classes:includes('listing') and listing or
               el.classes:includes('output') and output
  if make then return diagnostics.try(needles(el), make, el) end
end

local function code_block(el)
  local class = el.classes[1]
  if class == 'console' or class == 'pseudo' then return nil end
  local first = el.text:match('[^\n]+') or '```'
  diagnostics.error(first, 'a code block in a chapter',
    'show code from a file under code/ with ::: {.listing …}, program ' ..
    'output with\n::: {.output …}; only ```console and ```pseudo stand ' ..
    'by themselves')
end

return {{Div = div, CodeBlock = code_block}}
