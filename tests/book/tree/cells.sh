"$PANDOC" --from html --to html --lua-filter "$FIXTURE/../tree/compare.lua" \
  "$FIXTURE/../tree/cells.text"
