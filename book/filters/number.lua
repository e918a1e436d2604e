-- Every label gets its number, before anything is moved or replaced.

local labels = require 'labels'

return {{Pandoc = labels.number}}
