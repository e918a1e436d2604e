# A label that is there twice stops the first pass already.
printf '## One {#sec:one}\n\nText.\n\n## Two {#sec:one}\n' > "$WORK/04-sample.md"
"$PANDOC" --quiet -f markdown -t plain -L "$FILTERS/list_labels.lua" \
  -M book-root="$FIXTURE" "$WORK/04-sample.md"
