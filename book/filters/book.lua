-- The filter chain of the book, the only file to name with `-L`:
--
--   pandoc -f markdown -t html5 -L book/filters/book.lua -M book-root=. …
--
-- pandoc gives every -L a Lua state of its own.  One entry point lets all
-- filters share one: each CSV is read once and all errors come out together.
-- They work on the document as tables of Lua's own (lib/tree.lua), which it
-- becomes once, before the first, and ceases to be behind the last.

local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
package.path = here .. '/?.lua;' .. here .. '/lib/?.lua;' .. package.path

return require('chain').filter()
