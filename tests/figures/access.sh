#!/bin/sh
# From an access map to shapes: banks, wavefronts.
# mawk 1.3.4 20240123 misreads programs above 4096 bytes with it.
unset MALLOC_PERTURB_
root=$1 awk=$2
n_failed=0
work=$(mktemp -d "${TMPDIR:-/tmp}/test-access.XXXXXX")
trap 'rm -rf "$work"' EXIT

# map KERNEL SPACE BYTES EXPRESSION [WAVEFRONT]: 32 lanes at byte EXPRESSION
map() {
  "$awk" -v kernel="$1" -v space="$2" -v bytes="$3" 'BEGIN {
    print "kernel,launch,file,line,space,operation,block_x,block_y,block_z," \
      "warp,lane,request,address,bytes,allocation,offset,sector,bank,wavefront"
    for (i = 0; i < 32; i++)
      printf "%s,0,a.cu,1,%s,load,0,0,0,0,%d,0,%d,%d,,,,,%s\n", kernel, space,
        i, '"$4"', bytes, '"${5:-\"\"}"'
  }' > "$work/map.csv"
}

is() {   # is LAYER EXPECTED [AWK OPTION…]
  layer=$1 expected=$2
  shift 2
  got=$("$awk" -v layer="$layer" "$@" -f "$root/figures/common/access.awk" \
    "$work/map.csv" 2>&1 | tr '\n' ' ' | sed 's/ $//')
  [ "$got" = "$expected" ] || {
    echo "FAILED: $layer: expected '$expected', got '$got'" >&2
    n_failed=$((n_failed + 1))
  }
}

map column shared 4 '128 * i' i
is summary '32 wavefronts'
is hits 'bank,row,lane,wavefront 0,3,3,3' -v where=lane=3
is names 'x,row,left,right 1,0,lane 0,. 1,31,lane 31,.'
is spots 'x,y,lane,tip 0,3,3,byte 384; bank 0; wavefront 4 of 4' \
  -v where=lane=3
is used 'bank,row 0,0 0,1' -v context='lane=0|1'
is unused 63 -v context='lane=0|2'
map padded shared 4 '132 * i' 0
is summary '1 wavefront'
is hits 'bank,row,lane,wavefront 31,31,31,0' -v where=lane=31
map wide shared 8 '8 * i' 'int(i / 16)'
is summary '2 wavefronts'
is hits 'bank,row,lane,wavefront 2,0,1,0 3,0,1,0' -v where=lane=1

is summary "$work/map.csv: error: no request 2 where lane=1" \
  -v where=lane=1 -v request=2
is nonsense "$work/map.csv: error: no layer 'nonsense'"

# Helpers of the same kind.
helper() {   # helper EXPECTED AWK ARGUMENTS…
  expected=$1
  shift
  got=$(cd "$root/figures/common" && "$awk" "$@" 2>&1)
  [ "$got" = "$expected" ] || {
    echo "FAILED: $*: expected '$expected', got '$got'" >&2
    n_failed=$((n_failed + 1))
  }
}
printf '# a: b\nn,a,b\n1,1,5\n2,7,5\n3,4,5\n4,3,5\n' > "$work/map.csv"
helper 3 -v x=n -v low=a -v high=b -f crossing.awk "$work/map.csv"
helper '' -v x=n -v low=b -v high=a -f crossing.awk "$work/map.csv"
helper 7 -v where=n=2 -v cell=a -f rows.awk "$work/map.csv"
helper '1 2 3 4' -v values=n -f rows.awk "$work/map.csv"
helper "$work/map.csv: error: several rows have b=5; one was expected" \
  -v where=b=5 -v cell=a -f rows.awk "$work/map.csv"
helper '0.6000 0.4000 0.9000' -v heights='0.51 0.49 0.9' -v gap=0.2 \
  -f spread.awk
[ "$n_failed" = 0 ] || exit 1
echo "all as expected"
