-- `::: {.exercise #exr:name}` with a nested `::: {.solution}`: in HTML the
-- solution is folded away below, in print it goes to the chapter's end. With the
-- class `judged`, #exr:transpose-in-place is exercises/transpose/in_place.cu, and the
-- command that judges it follows the question.

local settings = require 'settings'
local dependencies = require 'dependencies'
local diagnostics = require 'diagnostics'
local caption = require 'caption'
local escape = require 'escape'
local source = require 'source'

local need = diagnostics.need

local solutions = pandoc.List()

local function split(el)
  local body, found = pandoc.List(), nil
  for _, block in ipairs(el.content) do
    if block.t == 'Div' and block.classes:includes('solution') then
      need(not found, 'an exercise with two solutions', 'join them')
      found = block
    else
      body:insert(block)
    end
  end
  need(found, 'an exercise without a solution',
       'write one: ::: {.solution} … ::: inside of it')
  need(#found.content > 0, 'an exercise with an empty solution', 'write it')
  need(#body > 0, 'an exercise without a question', 'write it')
  return body, found
end

-- "Write it: ./course exercise transpose/in_place"
local function command(el)
  local slug, name = el.identifier:match('^exr:([%w_]+)%-(.+)$')
  local path = slug and slug .. '/' .. name:gsub('-', '_')
  need(path and dependencies.is_there(
         settings.root .. '/exercises/' .. path .. '.cu'),
       'nothing judges this exercise: there is no exercises/' ..
         (path or 'SLUG/NAME') .. '.cu',
       'write it (CONTRIBUTING.md, "An exercise"), or leave out .judged')
  return pandoc.Para {pandoc.Str 'Write', pandoc.Space(), pandoc.Str 'it:',
                      pandoc.Space(), pandoc.Code('./course exercise ' .. path)}
end

-- "Exercise 4.1" and the title, in front of the first paragraph.
local function headed(label, title, body)
  local lead = pandoc.List {
    pandoc.Span(title and label .. ': ' .. title or label, {class = 'label'}),
  }
  local first = body[1]
  if first.t == 'Para' or first.t == 'Plain' then
    lead:insert(pandoc.Space())
    body[1] = pandoc.Para(lead .. first.content)
  else
    body:insert(1, pandoc.Para(lead))
  end
  return body
end

local function html(el, label, body, solution)
  local blocks = headed(label, el.attributes.title, body)
  blocks:insert(pandoc.RawBlock('html',
    '<details class="solution">\n<summary>Solution of ' .. label ..
    '</summary>'))
  blocks:extend(solution.content)
  blocks:insert(pandoc.RawBlock('html', '</details>'))
  return pandoc.Div(blocks, {id = el.identifier, class = 'exercise'})
end

local function latex(el, label, body, solution)
  solutions:insert(caption.raw(string.format(
    '\\begin{booksolution}{%s}{%s}', el.identifier, escape.latex(label))))
  solutions:extend(solution.content)
  solutions:insert(caption.raw('\\end{booksolution}'))
  local blocks = pandoc.List {caption.raw(string.format(
    '\\begin{bookexercise}{%s}{%s}{%s}', el.identifier, escape.latex(label),
    escape.latex(el.attributes.title or '')))}
  blocks:extend(body)
  blocks:insert(caption.raw('\\end{bookexercise}'))
  return pandoc.Div(blocks, {class = 'exercise'})
end

local function exercise(el)
  need(el.identifier:match('^exr:'), 'an exercise without a label',
       'write #exr:name')
  local body, solution = split(el)
  local label = caption.label(el.identifier)
  solution.attributes.taken = 'yes'
  if el.classes:includes('judged') then body:insert(command(el)) end
  return (settings.latex and latex or html)(el, label, body, solution)
end

local function div(el)
  if not el.classes:includes('exercise') then return nil end
  local needles = table.pack(el.identifier ~= '' and '#' .. el.identifier,
                             source.words(el.content), '.exercise')
  return diagnostics.try(needles, exercise, el) or {}
end

-- What is still a solution now stood in no exercise.
local function stray(el)
  if el.classes:includes('solution') then
    diagnostics.error(table.pack(source.words(el.content), '.solution'),
                      'a solution outside of an exercise',
                      'nest it in its ::: {.exercise #exr:name}')
  end
end

local function collect(doc)
  doc:walk {Div = stray}
  if #solutions == 0 then return nil end
  doc.blocks:insert(pandoc.Header(2, 'Solutions', {id = 'solutions',
                                                   class = 'unnumbered'}))
  doc.blocks:extend(solutions)
  return doc
end

return {{Div = div}, {Pandoc = collect}}
