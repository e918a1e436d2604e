# Ninja is told of every file that a page was made from.
cat > "$WORK/04-sample.md" <<'EOF'
`sample/bandwidth.n_elems[version=plain, n_elems=1024]`{.result}

::: {.listing #lst:add source="code/sample/sample.cu" tag="add"}
Caption.
:::

![Caption.](figures/sample/plot.gp){#fig:plot alt="Two rising lines and nothing else."}
EOF
"$PANDOC" -f markdown -t html5 -L "$FILTERS/book.lua" -M book-root="$FIXTURE" \
  -M book-build="$FIXTURE/built" -M book-depfile="$WORK/page.d" \
  -M book-target="$FIXTURE/built/book/page one.html" -o "$WORK/page.html" \
  "$WORK/04-sample.md" && cat "$WORK/page.d"
