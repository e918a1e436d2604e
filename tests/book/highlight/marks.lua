-- Prints blocks of code as the pages show them: what is new in them, folded
-- stretches, callouts (book/pages/code.lua).

local from = os.getenv('HIGHLIGHT_FROM')
package.path = from .. '/?.lua;' .. from .. '/../filters/lib/?.lua;' ..
               package.path
local code = require 'code'

local function lines(n)
  local list = {}
  for i = 1, n do list[i] = 'line(' .. i .. ');' end
  return table.concat(list, '\n')
end

local function show(name, text, attributes)
  local block = {classes = {'cuda'}, text = text, attributes = attributes}
  io.stdout:write('== ', name, '\n', code.html(block).text, '\n')
end

show('words', 'x = a < b ? "ä" : c + dd;\nold(x);\nnew(x);\nlast(y);',
     {['data-changed'] = '1,3-4', ['data-words'] = '1:5-5,7-7,11-13,20-23 4:',
      ['aria-label'] = 'Listing 1.1'})
show('callouts', 'a;\nb;\nc;',
     {['data-callouts'] = '1:2 3:1', ['data-label'] = 'lst:some-name'})
show('mostly new', 'a;\n\nb;\nc;\nd;\ne;', {['data-changed'] = '1,3-5'})
show('short', lines(25), {['data-changed'] = '2'})
show('folded', lines(40), {['data-changed'] = '2,15-16,40',
                           ['data-callouts'] = '30:1'})
show('too little to fold', lines(26), {['data-changed'] = '3,13,23'})
os.exit(0)
