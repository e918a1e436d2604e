-- Every sentence with a number, a unit or a comparative of measured things is
-- a result, a claim or a citation, or is marked as something that needs no
-- measurement.  What is left was typed by hand, and stops the build.

local settings = require 'settings'
local diagnostics = require 'diagnostics'
local sentences = require 'sentences'
local suspicion = require 'suspicion'
local evaluate = require 'evaluate'

local M = {}

local remedy = table.concat({
  'take the number from a run (`slug/experiment.column[…]`{.result}), check ' ..
    'the sentence',
  '([…]{.claim holds="…"}), cite its source ([@key]), or, if no run could ' ..
    'tell, mark it:',
  '[…]{.definition}, {.history}, {.reasoning} or {.arithmetic holds="…"}; ' ..
    'see "Sentences" in book/README.md',
}, '\n')

local manual_remedy = table.concat({
  'a manual has no marks: let a run write the number to a file under bench/ ' ..
    'or tests/,',
  'and name that file in the same sentence, in backquotes',
}, '\n')

local heading_remedy = table.concat({
  'a heading, a title, a question or a goal has no place for a claim: name ' ..
    'what it is about,',
  'and say how fast or how much in the text below; "If a part gets three ' ..
    'times faster, …?" supposes',
  'something and may',
}, '\n')

-- What a mark cannot excuse, because it can be measured: in a definition
-- speeds, times and rates (an exercise may give them), in reasoning any figure.
local function is_beyond(word, sentence)
  if word.covered == 'definition' then
    return word.measured and not sentence.task
  end
  return word.covered == 'reasoning' and word.kind == 'figure'
end

local function excused(word, sentence)
  if word.covered == true then return true end     -- stands in a claim
  if word.covered then return not is_beyond(word, sentence) end
  if sentence.citation then return true end
  if word.kind == 'figure' then return false end
  if sentence.task or sentence.question then return true end
  return sentence.result or sentence.claim
end

-- "Sixteen bytes at a time" names a topic; "three times the bandwidth" and
-- "the faster kernel" say what was measured. A question may compare, and one
-- that begins with "If" may suppose a factor.
local function is_said_in_heading(word, sentence)
  if word.kind == 'speed' then return not sentence.question end
  if word.kind ~= 'figure' and not word.factor then return false end
  return word.measured or not (sentence.question and
                               sentence.text:match('^If '))
end

local function is_there(path)
  local file = io.open(settings.root .. '/' .. path)
  return file ~= nil and file:close()
end

-- In an exercise's question, numbers are given; in a manual only what can be
-- measured counts.
local function open_word(sentence)
  if not suspicion.may(sentence.prose) then return nil end
  for _, word in ipairs(suspicion.words(sentence)) do
    if sentence.manual then
      if suspicion.rank[word.kind] >= 3 and
         not (sentence.file and is_there(sentence.file)) then
        return word
      end
    elseif sentence.heading then
      if is_said_in_heading(word, sentence) then return word end
    elseif not excused(word, sentence) then
      return word
    end
  end
end

-- What a sentence is, in one word: for the list, and the word that is open.
function M.state(sentence)
  local words = suspicion.words(sentence)
  local open = open_word(sentence)
  if open then return 'none', open end
  if sentence.claim then return 'claim' end
  if sentence.result then return 'result' end
  if #sentence.marks > 0 then
    local mark = sentence.marks[1].mark
    return sentence.citation and mark .. ', cited' or mark
  end
  if sentence.citation then return 'citation' end
  if #words == 0 then return 'plain' end
  if sentence.manual then return 'manual' end
  if sentence.heading then return 'heading' end
  return sentence.question and 'question' or 'task'
end

local function shortened(text)
  if utf8.len(text) <= 160 then return text end
  return text:sub(1, utf8.offset(text, 158) - 1) .. ' …'
end

local function complain(path, sentence, word)
  local what = {
    number = 'a number', comparison = 'a comparison',
    speed = 'a comparison of speeds', figure = 'a measured figure',
  }
  local message = string.format("%s that nothing checks, '%s', in: %s",
                                what[word.kind], word.text,
                                shortened(sentence.text))
  local help = sentence.manual and manual_remedy or
               sentence.heading and heading_remedy or remedy
  if not sentence.heading and is_beyond(word, sentence) then
    message = string.format("%s, '%s', marked as %s, in: %s", what[word.kind],
                            word.text, word.covered, shortened(sentence.text))
    help = 'that can be measured: make it a result or a claim, or say it ' ..
           'without the comparison'
  end
  diagnostics.at(path, sentence.line, message, help)
end

-- `holds` of an `.arithmetic` mark: true, and of numbers alone.
local function check_arithmetic(path, sentence, element)
  if element.checked then return end
  element.checked = true
  local ok, fault = pcall(function()
    if not element.holds or element.holds == '' then
      diagnostics.throw('arithmetic without holds="…": ' .. element.text,
                        'write what it says as an expression of numbers, ' ..
                        'such as holds="12 * 4 == 48"')
    end
    local outcome = evaluate.expression(element.holds, false)
    if #outcome.queries > 0 then
      diagnostics.throw('arithmetic that asks for a result: ' .. element.holds,
                        'make it a claim')
    end
    if outcome.value ~= true then
      diagnostics.throw('this arithmetic is wrong: ' .. element.holds,
                        'correct the sentence or the expression')
    end
  end)
  if not ok then
    if type(fault) ~= 'table' then error(fault, 0) end
    diagnostics.at(path, sentence.line, fault.message, fault.remedy)
  end
end

local function check(path, list)
  for _, sentence in ipairs(list) do
    for _, element in ipairs(sentence.marks) do
      if element.mark == 'arithmetic' then
        check_arithmetic(path, sentence, element)
      end
    end
    local word = open_word(sentence)
    if word then complain(path, sentence, word) end
  end
end

local function is_right(holds)
  local ok, outcome = pcall(evaluate.expression, holds or '', false)
  return ok and #outcome.queries == 0 and outcome.value == true
end

-- Is there anything in what no paragraph's text shows: a footnote, a sum that
-- is wrong?
local function hides_something(blocks)
  local found = false
  local function look(el)
    if el.classes:includes('arithmetic') and
       not is_right(el.attributes.holds) then
      found = true
    end
  end
  pandoc.Div(blocks):walk {Note = function() found = true end,
                           Span = look, Div = look}
  return found
end

local function is_innocent(text) return not suspicion.may(text) end

-- A paragraph's text tells whether anything in it could be wrong, and most
-- need no closer look, which is what takes time. A complaint wants all
-- sentences: lines are found in the order of the text.
local function check_all(path, blocks, text, manual, front)
  if not hides_something(blocks) then
    local open = false
    for _, sentence in ipairs(sentences.of(blocks, text, manual, is_innocent,
                                           front)) do
      open = open or open_word(sentence)
    end
    if not open then return end
  end
  check(path, sentences.of(blocks, text, manual, nil, front))
end

-- What readers see of the front matter, in the order in which chapters have
-- it: messages find their lines by it.
local function front_of(meta)
  local lines = {}
  for _, key in ipairs {'title', 'question', 'goals'} do
    local value = meta[key]
    local is_list = pandoc.utils.type and
                    pandoc.utils.type(value) == 'List' or
                    type(value) == 'table' and value.t == 'MetaList'
    for _, item in ipairs(is_list and value or {value}) do
      lines[#lines + 1] = pandoc.utils.stringify(item)
    end
  end
  return lines
end

local function text_of(path)
  local file = io.open(path, 'rb')
  if not file then return '' end
  local text = file:read('a')
  file:close()
  return text
end

function M.chapter(doc)
  return sentences.of(doc.blocks, text_of(settings.chapter_file), false, nil,
                      front_of(doc.meta))
end

-- The blocks of a manual, before they become part of the chapter.
function M.manual(path, text, blocks)
  if settings.latex then return end
  check_all(path, blocks, text, true)
end

-- Not again for the print: the PDF is made after the pages (of captions.tsv,
-- which is read out of them), and this is a fifth of a page's time.
M[1] = {Pandoc = function(doc)
  if settings.latex then return end
  check_all(settings.chapter, doc.blocks, text_of(settings.chapter_file),
            false, front_of(doc.meta))
end}

return M
