# A page that is refused leaves neither page nor depfile, and what was there.
cd "$WORK" || exit 1
echo 'the page before' > page.html
echo '@fig:nothing' > 04-sample.md
"$PANDOC" -f markdown -t html5 -L "$FILTERS/book.lua" -M book-root=. \
  -M book-depfile=page.d -o page.html 04-sample.md
echo "status $?"
cat page.html
ls
