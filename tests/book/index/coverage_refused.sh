# Markers that do not fit are found in files that no chapter cites.
: > "$WORK/uses"
"$FILTERS/check-coverage" --pandoc "$PANDOC" "$FIXTURE" "$WORK/uses"
