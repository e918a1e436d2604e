# Every tag in a file that no chapter cites is found, whether its markers fit or not.
: > "$WORK/uses"
python3 -B "$TOOLS/labels.py" coverage "$FIXTURE" "$WORK/uses"
