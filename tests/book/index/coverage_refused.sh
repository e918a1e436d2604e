# Markers that do not fit are found in files that no chapter cites.
: > "$WORK/uses"
python3 -B "$TOOLS/labels.py" coverage --pandoc "$PANDOC" "$FIXTURE" "$WORK/uses"
