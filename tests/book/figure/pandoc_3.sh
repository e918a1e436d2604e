# The same document, its images as pandoc 2 and as pandoc 3 read them.
for filter in "$FILTERS/book.lua" figure/pandoc_3.lua; do
  "$PANDOC" --from markdown --to html5 --wrap=preserve "$plain" \
    --lua-filter "$filter" --bibliography fixture/bibliography.json \
    --metadata slug=sample --metadata book-chapter=2 \
    --metadata book-root=fixture --metadata book-build=fixture/built \
    --metadata book-labels=fixture/labels.index figure/plot.md \
    >"$WORK/$(basename "$filter" .lua).html"
done
diff "$WORK/book.html" "$WORK/pandoc_3.html" && echo the same
