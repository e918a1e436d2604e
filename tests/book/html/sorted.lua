-- Before citeproc, and again behind it: what book/pages/citations.lua does.
-- `-M sort=no` leaves the order alone.
local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
package.path = here .. '/../../../book/pages/?.lua;' .. package.path
local citations = require 'citations'
local stringify = pandoc.utils.stringify

return {{Pandoc = function(doc)
  local refs
  for _, block in ipairs(doc.blocks) do
    if block.identifier == 'refs' then refs = block end
  end
  local wanted = stringify(doc.meta.sort or '') ~= 'no'
  if refs then
    if not wanted then return nil end
    local entries = {}
    for i, entry in ipairs(refs.content) do entries[i] = entry end
    citations.sort_list(entries, stringify(doc.meta['book-order']))
    doc.blocks[#doc.blocks] = pandoc.Div(entries, pandoc.Attr('refs',
      refs.classes, refs.attributes))
    return doc
  end
  local style = doc.meta['book-style']
  if wanted then
    local blocks = pandoc.List()
    style = citations.sort {meta = doc.meta, walk = function(_, filter)
      doc = doc:walk {Cite = function(el)
        local list = el.citations
        local sorted = {}
        for i, citation in ipairs(list) do sorted[i] = citation end
        filter.Cite {citations = sorted}
        el.citations = sorted
        return el
      end}
    end}
  end
  doc.meta.csl = style or doc.meta.csl
  return doc
end}}
