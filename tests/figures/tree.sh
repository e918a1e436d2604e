# Sourced by the tests: a small course of one figure in a folder of its own,
# whose path has a space. Its numbers are made up for the test.

root=$1 awk=$2 gnuplot=$3 lua=$4 rsvg=$5
here=$root/tests/figures
work=$(mktemp -d "${TMPDIR:-/tmp}/test figures.XXXXXX")
trap 'rm -rf "$work"' EXIT
tree="$work/a tree"
mkdir -p "$tree/figures/demo" "$tree/bench/demo" "$tree/results/mine/demo"
echo h200 >"$tree/bench/reference"
ln -s "$root/figures/common" "$tree/figures/common"
ln -s "$root/figures/drawing" "$tree/figures/drawing"

cat > "$tree/bench/demo/times.h200.csv" <<'CSV'
# machine: h200
# gpu: Tested GPU
version,n_elems,time_us
plain,1,10
plain,2,20
better,1,5
better,2,9
CSV
sed 's/Tested GPU/Reader GPU/; s/,10$/,12/' "$tree/bench/demo/times.h200.csv" \
  > "$tree/results/mine/demo/times.csv"

cat > "$tree/figures/demo/times.gp" <<'GP'
# title: Times of two versions < 1 hour & measured
# data: bench/demo/times.reference.csv
load 'figures/common/style.gp'
set key top left
plot for [m = 1:n_machines] for [v in 'plain better'] \
  rows(csv('demo/times', word(machines, m)), 'version=' . v) \
  using (column("n_elems")):(column("time_us")) with linespoints \
  linetype (v eq 'plain' ? 1 : 2) dashtype dash(m) title v . ' ' . gpu(m)
GP

n_failed=0
failed() { echo "FAILED: $*" >&2; n_failed=$((n_failed + 1)); }
finish() { [ "$n_failed" = 0 ] || exit 1; echo "all as expected"; }

draw() {
  "$root/figures/common/draw" --gnuplot "$gnuplot" --lua "$lua" \
    --rsvg "$rsvg" "$@"
}
