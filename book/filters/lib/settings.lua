-- Where things are and for whom the book is made: read once from the
-- document's metadata (`-M book-…`), so that a command line says it all.

local M = {}

-- "/a/b/../c" becomes "/a/c"; pandoc.path.normalize leaves ".." in.
local function collapse(path)
  local parts = {}
  for part in path:gmatch('[^/]+') do
    if part == '..' then
      parts[#parts] = nil
    elseif part ~= '.' then
      parts[#parts + 1] = part
    end
  end
  return '/' .. table.concat(parts, '/')
end

function M.absolute(path)
  if path:sub(1, 1) ~= '/' then
    path = pandoc.system.get_working_directory() .. '/' .. path
  end
  return collapse(path)
end

-- The path as the reader of a message knows it: from the project's root.
function M.shown(path)
  local full = M.absolute(path)
  local prefix = M.root .. '/'
  if full:sub(1, #prefix) == prefix then
    return full:sub(#prefix + 1)
  end
  return path
end

local function text(meta, key, default)
  local value = meta[key]
  if value == nil then return default end
  value = pandoc.utils.stringify(value)
  return value ~= '' and value or default
end

-- Files of labels: those of the chapters one by one, or the index of all.
local function label_files(meta)
  local files, chapters = {}, meta['book-chapter-labels']
  for i, file in ipairs(type(chapters) == 'table' and chapters or {}) do
    files[i] = pandoc.utils.stringify(file)
  end
  if #files == 0 then files[1] = text(meta, 'book-labels') end
  return files
end

-- 14-transpose.md is chapter 14; from 91 on they are appendices A, B, …
-- 10i-origins.md is the interlude after chapter 10, with figures i.1, i.2, …
local function chapter_number(prefix)
  if prefix and prefix:match('^%d+i$') then return 'i' end
  local number = tonumber(prefix)
  if not number then return nil end
  if number > 90 then return string.char(64 + number - 90) end
  return tostring(math.floor(number))
end

-- The readers' machines, each once: "mine,theirs" names two.
local function machines(names)
  local list = pandoc.List()
  for name in names:gmatch('[%w_%-]+') do
    if name ~= M.reference and not list:includes(name) then
      list:insert(name)
    end
  end
  return list
end

-- The machine that a file in bench/ names; nil without the file.
local function named(by)
  local file = io.open(M.root .. '/bench/' .. by, 'rb')
  if not file then return nil end
  local name = file:read('a'):match('[%w_%-]+')
  file:close()
  return name
end

-- "bench/demo/speed.reference.csv" as that file is called.
function M.of_reference(path)
  return (path:gsub('%.reference(x?2?)%.(%a+)$', function(two, extension)
    return '.' .. (two == '' and M.reference or M.reference_of_two) .. '.' ..
           extension
  end))
end

function M.load(meta)
  M.root = M.absolute(text(meta, 'book-root', '.'))
  M.build = M.absolute(text(meta, 'book-build', M.root .. '/build'))
  M.figures = M.absolute(text(meta, 'book-figures', M.build .. '/figures'))
  M.labels = label_files(meta)
  -- The machine whose numbers are the book's, and that of several GPUs, which
  -- has two of the same unless a file says otherwise.
  M.reference = text(meta, 'book-reference', named('reference') or 'reference')
  M.reference_of_two = named('reference_of_two') or M.reference .. 'x2'
  M.machines = machines(text(meta, 'book-machine', ''))
  M.results = M.absolute(text(meta, 'book-results', M.build .. '/results'))
  M.depfile = text(meta, 'book-depfile')
  M.target = text(meta, 'book-target', PANDOC_STATE.output_file)

  M.chapter_file = PANDOC_STATE.input_files[1] or '-'
  M.chapter = M.shown(M.chapter_file)
  local base = M.chapter:match('([^/]+)%.[^./]+$') or M.chapter
  local prefix, slug = base:match('^(%d+i?)%-(.+)$')
  M.file_slug = slug
  M.slug = text(meta, 'slug', slug or base)
  M.number = text(meta, 'book-chapter', chapter_number(prefix))
  M.title = text(meta, 'title', M.slug)
  M.latex = FORMAT:match('latex') ~= nil
end

return M
