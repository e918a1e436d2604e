-- Which listings can be stepped: a scene, code/SLUG/steps/NAME.step, names its
-- listing in its first directive, `listing lst:…`.

local settings = require 'settings'
local dependencies = require 'dependencies'
local diagnostics = require 'diagnostics'

local M = {}

local function label_of(path)
  return ('\n' .. dependencies.read(path)):match('\nlisting%s+(lst:%S+)')
end

-- Names, sorted; none where there is no such folder. Pandoc 2.17 cannot list
-- one, so there a shell does.
local function list(folder)
  local files = {}
  if pandoc.system.list_directory then
    local there, names = pcall(pandoc.system.list_directory, folder)
    files = there and names or files
  else
    local pipe = assert(io.popen("ls '" .. folder:gsub("'", "'\\''") ..
                                 "' 2>/dev/null"))
    for file in pipe:lines() do files[#files + 1] = file end
    pipe:close()
  end
  table.sort(files)
  return files
end

-- Label of a listing → SLUG/NAME, of a chapter's scenes.
local of_slug = diagnostics.once(function(slug)
  local folder = settings.root .. '/code/' .. slug .. '/steps'
  local found = {}
  for _, file in ipairs(list(folder)) do
    local name = file:match('^(.+)%.step$')
    local label = name and label_of(folder .. '/' .. file)
    if label and found[label] then
      diagnostics.throw(string.format('two scenes for %s: %s and %s/%s', label,
                                      found[label], slug, name),
                        'a listing has one panel: join them, or name another listing')
    end
    if label then found[label] = slug .. '/' .. name end
  end
  return found
end)

-- ---- What its recording says, for paper and for readers without scripts --------

local function read_built(scene, extension)
  local path = string.format('%s/book/stepper/%s.%s', settings.build,
                             scene:gsub('/', '-'), extension)
  local text = dependencies.read(path)
  if not text then
    diagnostics.throw(string.format('the recording of %s is not built: no %s',
                                    scene, settings.shown(path)),
                      'build it: ninja -C ' .. settings.shown(settings.build))
  end
  return text
end

local function ones(mask)
  local n, bits = 0, tonumber(mask, 16)
  while bits > 0 do n, bits = n + bits % 2, bits // 2 end
  return n
end

-- How often warp 0 of the first block executed an instruction of each line, and
-- how many of its lanes were there on average: "5:10,32 9:34,18.3", by the line
-- of the listing, whose lines are snippet.lines' of `source`.
function M.hits(scene, source, lines)
  local place, n, lanes = {}, {}, {}
  for i, line in ipairs(lines) do place[line.number] = i end
  for file, line, active in read_built(scene, 'trace.csv'):gmatch(
      ',0,0,0,0,%d+,([^,\n]*),(%d+),%d+,[^,\n]+,(%x+),%x+\n') do
    local i = file == source and place[tonumber(line)]
    if i then
      n[i] = (n[i] or 0) + 1
      lanes[i] = (lanes[i] or 0) + ones(active)
    end
  end
  local parts = {}
  for i = 1, #lines do
    if n[i] then
      local mean = string.format('%.1f', lanes[i] / n[i]):gsub('%.0$', '')
      parts[#parts + 1] = string.format('%d:%d,%s', i, n[i], mean)
    end
  end
  return table.concat(parts, ' ')
end

-- The drawing's place and size on a page, and what one sees in it.
function M.drawing(scene)
  local svg = read_built(scene, 'svg')
  local width, height = svg:match('viewBox="0 0 ([%d.]+) ([%d.]+)"')
  return {stem = scene:gsub('/', '-'), width = width, height = height,
          alt = svg:match('<desc[^>]*>(.-)</desc>')}
end

-- "block 256, n 256": the values of the recorded run.
function M.values(scene)
  local known = read_built(scene, 'json'):match('"knobs":%s*(%b{})') or '{}'
  local parts = {}
  for name, value in known:gmatch('"([^"]+)":%s*"?([^",}]+)"?') do
    parts[#parts + 1] = name .. ' ' .. value
  end
  return table.concat(parts, ', ')
end

-- "reduction/strided", or nil: the scene of a listing of code/SLUG/….
function M.of(label, source)
  local slug = source:match('^code/([^/]+)/')
  return slug and of_slug(slug)[label]
end

return M
