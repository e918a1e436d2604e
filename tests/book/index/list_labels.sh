# The labels of a chapter as two files: a line more touches the one, the index
# only when a label changes. What fails leaves both as they were.
cd "$WORK" || exit 1
cat >first <<'EOF'
slug	a	chapters/01-a.md
label	chp:a	1	A	a	chapters/01-a.md:1
label	fig:x	1.1		a	chapters/01-a.md:7
use	code/a/a.cu	add	chapters/01-a.md:9
EOF
python3 -B "$TOOLS/labels.py" list labels index cat first && cat labels index
touch -t 202001010000 labels index
touch -t 202001020000 between
python3 -B "$TOOLS/labels.py" list labels index cat first
find labels index ! -newer between | wc -l
sed 's/md:7/md:8/' first >second
python3 -B "$TOOLS/labels.py" list labels index cat second
find labels index -newer between
touch -t 202001010000 labels index
sed 's/1\.1/1.2/' first >third
python3 -B "$TOOLS/labels.py" list labels index cat third
find labels index -newer between
touch -t 202001010000 labels index
python3 -B "$TOOLS/labels.py" list labels index sh -c 'echo label; exit 3'
echo "status $?"
find labels index ! -newer between | wc -l
ls
