-- A time, a rate, a share and a comparison of speeds or counts must come from a
-- run: as a result, a claim or, where others measured it, a citation.  What was
-- typed by hand stops the build.

local settings = require 'settings'
local diagnostics = require 'diagnostics'
local dependencies = require 'dependencies'
local sentences = require 'sentences'
local source = require 'source'
local suspicion = require 'suspicion'

local M = {}

local remedy = table.concat({
  'take the number from a run ({name}, defined in the block {.values} at the ' ..
    "chapter's end),",
  'make the words a claim ([words]{holds=name}), or cite their source ' ..
    '([@key]);',
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

-- Must the word come from a run, and does it not? A figure needs a claim or a
-- citation around it: a result elsewhere in the sentence does not vouch for it.
-- Arithmetic can prove a figure ("three waves are 73 % full"), not a comparison.
-- Exercises may suppose; questions may compare.
local function is_unproven(word, sentence)
  if word.covered == true or sentence.citation then return false end
  if word.covered and word.kind == 'figure' then return false end
  if word.kind == 'figure' then
    return word.measured and sentence.task == nil
  end
  if word.kind ~= 'speed' and word.kind ~= 'count' then return false end
  return not (sentence.task or sentence.question or sentence.meaning or
              sentence.result or sentence.claim)
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

-- The first word that nothing vouches for. In a manual only what can be measured
-- counts.
local function open_word(sentence)
  for _, word in ipairs(suspicion.words(sentence)) do
    if sentence.manual then
      if suspicion.rank[word.kind] >= 3 and
         not (sentence.file and
              dependencies.is_there(settings.root .. '/' .. sentence.file)) then
        return word
      end
    elseif sentence.heading then
      if is_said_in_heading(word, sentence) then return word end
    elseif is_unproven(word, sentence) then
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
  if sentence.citation then return 'citation' end
  if #words == 0 then return 'plain' end
  if sentence.manual then return 'manual' end
  if sentence.heading then return 'heading' end
  for _, word in ipairs(words) do
    if suspicion.rank[word.kind] >= 3 then
      return sentence.question and 'question' or
             sentence.task and 'task' or 'given'
    end
  end
  return 'plain'
end

local function shortened(text)
  if utf8.len(text) <= 160 then return text end
  return text:sub(1, utf8.offset(text, 158) - 1) .. ' …'
end

local function complain(path, sentence, word)
  local what = {
    number = 'a number', comparison = 'a comparison',
    count = 'a comparison of counts', speed = 'a comparison of speeds',
    figure = 'a measured figure',
  }
  local message = string.format("%s that nothing checks, '%s', in: %s",
                                what[word.kind], word.text,
                                shortened(sentence.text))
  local help = sentence.manual and manual_remedy or
               sentence.heading and heading_remedy or remedy
  diagnostics.at(path, sentence.line, message, help)
end

local function check(path, list)
  for _, sentence in ipairs(list) do
    local word = open_word(sentence)
    if word then complain(path, sentence, word) end
  end
end

-- What readers see of the front matter, in the order in which chapters have
-- it: messages find their lines by it.
local function front_of(meta)
  local lines = {}
  for _, key in ipairs {'title', 'question', 'goals'} do
    local value = meta[key]
    local is_list = pandoc.utils.type(value) == 'List'
    for _, item in ipairs(is_list and value or {value}) do
      lines[#lines + 1] = pandoc.utils.stringify(item)
    end
  end
  return lines
end

function M.chapter(doc)
  return sentences.of(doc.blocks, source.text(), false, front_of(doc.meta))
end

-- The blocks of a manual, before they become part of the chapter.
function M.manual(path, text, blocks)
  if settings.latex then return end
  check(path, sentences.of(blocks, text, true))
end

-- Not again for the print, which waits for all labels and so for this.
M[1] = {Pandoc = function(doc)
  if not settings.latex then check(settings.chapter, M.chapter(doc)) end
end}

return M
