"$PANDOC" --from markdown --to html --lua-filter "$FIXTURE/../tree/compare.lua" \
  "$FIXTURE/../tree/everything.text"
