#!/bin/sh
# figures/common/timeline.lua on a small trace: two lanes' worth of paths.
# $1: the project, $2: Lua
set -eu
lua=$2 program=$1/figures/common/ask.lua
work=$(mktemp -d "${TMPDIR:-/tmp}/timeline.XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() { echo "error: $*" >&2; exit 1; }

cat >"$work/trace.csv" <<'END'
# machine: software
kernel,warp,line,opcode,active_mask,executed_mask
k,0,5,setp.lt.s32,ffffffff,ffffffff
k,1,5,setp.lt.s32,ffffffff,ffffffff
k,0,5,bra,ffffffff,00000001
k,0,7,add.s32,fffffffe,fffffffe
k,0,0,mul.lo.s32,fffffffe,80000000
k,0,9,sub.s32,00000001,00000001
k,0,11,ret,ffffffff,ffffffff
END
layer() {
  "$lua" "$program" timeline "$1" "$work/trace.csv" warp=0 '7-8:1 9-9:2'
}

layer runs >"$work/runs"
head -n 1 "$work/runs" | grep -qx x0,x1,lane,path,on || fail 'head of runs'
# Lane 0: both, then waits for the first path, then its own, then both.
grep ',0,[0-9],[01]$' "$work/runs" | grep -v '^[0-9]*,[0-9]*,[1-9]' \
  >"$work/lane" || fail 'no lane 0'
printf '0,2,0,0,1\n4,5,0,2,1\n5,6,0,0,1\n' | cmp - "$work/lane" ||
  fail 'lane 0'
# Lane 31 executes the line without information, lane 1 has a false guard.
grep -qx 2,4,31,1,1 "$work/runs" || fail 'lane 31 on path 1'
grep -qx 3,4,1,1,0 "$work/runs" || fail 'lane 1 with a false guard'
layer spots >"$work/spots"
grep -qx '1.0,0,instructions 1 to 2' "$work/spots" || fail 'spot of lane 0'
grep -qx '3.5,1,instruction 4 not executed' "$work/spots" ||
  fail 'spot of lane 1'
[ "$(layer extent)" = 6 ] || fail extent
[ "$(layer names)" = 'setp bra add mul sub ret' ] || fail names
# 32 + 32 + 31 + 1 + 1 + 32 lanes in 6 instructions
[ "$(layer summary)" = \
  '6 instructions, 21.5 of 32 lanes active on average' ] || fail summary
if "$lua" "$program" timeline runs "$work/trace.csv" warp=7 '' \
  >"$work/out" 2>&1; then fail 'a warp that is not there'; fi
grep -q 'no row has warp=7' "$work/out" || fail 'message'
if "$lua" "$program" timeline runs "$work/trace.csv" wrap=0 '' \
  >"$work/out" 2>&1; then fail 'a column that is not there'; fi
grep -q "no column 'wrap'" "$work/out" || fail 'message about the column'
echo 'all right'
