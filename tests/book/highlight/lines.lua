-- With HIGHLIGHT_ONE: prints that file as the pages show it. Else reads names
-- of files, and requires that each, its tags taken away, is itself.

package.path = os.getenv('HIGHLIGHT_FROM') .. '/?.lua;' .. package.path
local highlight = require 'highlight'

local languages = {cu = 'cuda', cuh = 'cuda', c = 'c', h = 'c', ptx = 'ptx',
                   sh = 'bash', py = 'python', f90 = 'fortran'}

local function read(path)
  local file = assert(io.open(path, 'rb'))
  local text = file:read('a')
  file:close()
  return text
end

local function shown(path)
  local lines = highlight.lines(languages[path:match('%.(%w+)$')], read(path))
  return table.concat(lines, '\n')
end

local plain = {['&lt;'] = '<', ['&gt;'] = '>', ['&amp;'] = '&'}

local one = os.getenv('HIGHLIGHT_ONE')
if one then
  io.stdout:write(shown(one))
else
  local passed, failed = 0, 0
  for path in io.stdin:lines() do
    local text = shown(path):gsub('</?span[^>]*>', ''):gsub('&%a+;', plain)
    if text == read(path) then
      passed = passed + 1
    else
      failed = failed + 1
      print(path .. ': the page would show another text')
    end
  end
  print(passed .. ' passed, ' .. failed .. ' failed')
  if failed > 0 or passed == 0 then os.exit(1) end
end
os.exit(0)
