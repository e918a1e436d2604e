# Every tag under code/ is cited, but one.
cd "$WORK" || exit 1
mkdir -p "with space/code/a"
cp "$FIXTURE/code/sample/sample.cu" "with space/code/a"
printf 'code/a/sample.cu\t%s\n' add index guard > uses
python3 -B "$TOOLS/labels.py" coverage "with space" uses
echo "status $?"
printf 'code/a/sample.cu\tadd_strided\n' >> uses
python3 -B "$TOOLS/labels.py" coverage "with space" uses
