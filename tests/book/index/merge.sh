# Two chapters make one index; a second time nothing is written.
cd "$WORK" || exit 1
printf 'slug\ta\tchapters/01-a.md\nlabel\tfig:x\t1.1\t\ta\tchapters/01-a.md:7\nuse\tcode/a/a.cu\tadd\tchapters/01-a.md:9\n' > a.labels
printf 'slug\tb\tchapters/02-b.md\nlabel\tsec:y\t2.1\tThe end\tb\tchapters/02-b.md:3\n' > b.labels
python3 -B "$TOOLS/labels.py" merge index uses a.labels b.labels && cat index uses
touch -t 202001010000 index uses
touch -t 202001020000 between
python3 -B "$TOOLS/labels.py" merge index uses a.labels b.labels
[ "$(find index uses ! -newer between | wc -l)" -eq 2 ] && echo untouched
# A line that moved does not touch the index either.
sed 's/md:7/md:8/' a.labels > c.labels
python3 -B "$TOOLS/labels.py" merge index uses c.labels b.labels
[ "$(find index uses ! -newer between | wc -l)" -eq 2 ] && echo untouched
