# The same label, and the same slug, in two chapters.
cd "$WORK" || exit 1
printf 'slug\ta\tchapters/01-a.md\nlabel\tfig:x\t1.1\t\ta\tchapters/01-a.md:7\n' > a.labels
printf 'slug\tb\tchapters/02-b.md\nlabel\tfig:x\t2.1\t\tb\tchapters/02-b.md:3\n' > b.labels
printf 'slug\ta\tchapters/03-a.md\n' > c.labels
python3 -B "$TOOLS/labels.py" merge index uses a.labels b.labels c.labels
status=$?
[ -e index ] && echo 'an index was written'
exit $status
