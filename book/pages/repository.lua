-- book/repository: where the code can be had, by key. What is empty is nil.

local known = {clone = true, edit = true, report = true, site = true}

local function fail(path, line, what)
  io.stderr:write(string.format('%s:%d: error: %s\n  its head says what the ' ..
                                'file holds\n', path, line, what))
  os.exit(1)
end

-- path: the file; a key that is not known, or an address that no link can have,
-- ends the build.
return function(path)
  local found, n = {}, 0
  for text in io.lines(path) do
    n = n + 1
    if text:match('%S') and not text:match('^#') then
      local key, value = text:match('^(%l+):%s*(.-)%s*$')
      if not known[key] then fail(path, n, 'not a line of this file: ' .. text) end
      if value:match('[%s"<>]') then
        fail(path, n, 'an address with a space, a quote or a bracket')
      end
      if key ~= 'clone' and value ~= '' and not value:match('^https?://') and
         not value:match('^mailto:') then
        fail(path, n, 'a link begins with https://, http:// or mailto:')
      end
      if key == 'edit' and value ~= '' and not value:find('{path}', 1, true) then
        fail(path, n, 'no {path} in the address of a file')
      end
      if key == 'site' and value ~= '' and not value:match('/$') then
        fail(path, n, 'no / at the end of the address of the pages')
      end
      found[key] = value ~= '' and value or nil
    end
  end
  return found
end
