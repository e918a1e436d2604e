# A front matter that is not YAML is named with its file and line.
cat > "$WORK/04-sample.md" <<'EOF'
---
title: A sample
slug: sample
question: Why: because?
---

Text.
EOF
python3 -B "$TOOLS/labels.py" list "$WORK/sample.labels" "$WORK/sample.index" \
  "$PANDOC" --from markdown --to plain \
  --lua-filter "$FILTERS/list_labels.lua" --metadata book-root="$FIXTURE" \
  "$WORK/04-sample.md"
echo "labels.py ends with status $?"
ls "$WORK"
