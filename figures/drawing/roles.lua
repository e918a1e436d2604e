-- What a colour means. A drawing names roles; each role is one of the colours
-- of figures/common/style.gp, so that a role has the same colour in every
-- figure, and the page's theme can change it. Roles that charts use as well are
-- lines of that file, role_<name> = colour_<name>.
--
--   base   role -> colour of style.gp, or 'ink' and 'paper'
--   colours  colour of style.gp -> '#rrggbb'
--   print  role -> '#rrggbb'
--   page   role -> a CSS value

local base = {
  ink = 'ink', muted = 'muted', grid = 'grid', cell = 'cell', paper = 'paper',
  -- who works
  warp_0 = '1', warp_1 = '2', warp_2 = '3', warp_3 = '4',
  path_0 = '1', path_1 = '2',
  -- what moves, and where it is kept
  used = '1', wasted = '2', arithmetic = '3',
  register = '4', cache = '1',
  -- what it means
  conflict = '2', emphasis = '2', result = '3', partial = '4', working = '1',
  -- what a bit is for
  exponent = '2', fraction = '1',
}

local colours = {ink = '#000000', paper = '#ffffff'}
for line in io.lines('figures/common/style.gp') do
  local name, hex = line:match("^colour_(%w+) = '(#%x+)'")
  if name then colours[name] = hex end
  local role, of = line:match('^role_([%w_]+) = colour_(%w+)')
  if role then base[role] = of end
end

local roles = {base = base, colours = colours}

local function colour_of(role)
  local name = base[role]
  if not name then
    local known = {}
    for each in pairs(base) do known[#known + 1] = each end
    table.sort(known)
    error({message = string.format("no role '%s'", tostring(role)),
           remedy = 'roles are ' .. table.concat(known, ', ')}, 0)
  end
  return name
end

function roles.print(role) return colours[colour_of(role)] end

function roles.page(role)
  local name = colour_of(role)
  if name == 'ink' then return 'currentColor' end
  if name == 'paper' then return 'var(--paper,#fff)' end
  local value = string.format('var(--fig-%s,%s)', name, colours[name])
  if role == name then return value end
  return string.format('var(--role-%s,%s)', role:gsub('_', '-'), value)
end

return roles
