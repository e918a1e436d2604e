-- No sentence in which suspicion.words finds something may be passed over by
-- suspicion.may. The number of sentences, and of those it passes over.
local filters = os.getenv('FILTERS')
package.path = filters .. '/?.lua;' .. filters .. '/lib/?.lua;' .. package.path
local sentences = require 'sentences'
local suspicion = require 'suspicion'

function Pandoc(doc)
  local n, passed = 0, 0
  for _, sentence in ipairs(sentences.of(doc.blocks, '', false)) do
    local may = suspicion.may(sentence.prose)
    n, passed = n + 1, passed + (may and 0 or 1)
    if not may and #suspicion.words(sentence) > 0 then
      print('passed over: ' .. sentence.text)
    end
  end
  if n < 20 then print('only ' .. n .. ' sentences') end
  if passed == 0 then print('no sentence is passed over') end
  io.stdout:flush()
  os.exit(0)
end
