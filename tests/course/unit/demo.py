"""A tree with one chapter, "demo", whose program, nvcc, GPU and NVIDIA's tools
are stand-ins that answer like the real ones."""
import os
import pathlib
from unittest import mock

from support import InFolder
from results.measure import Workplace, measure

PROGRAM = r'''
echo "$1" >>"$work/runs"
[ ! -e "$work/broken" ] || { echo 'demo: error: out of luck' >&2; exit 1; }
[ ! -e "$work/broken$1" ] || { echo 'demo: error: no luck' >&2; exit 1; }
[ ! -e "$work/skip$1" ] || { cat "$work/skip$1"; exit 77; }
while [ -e "$work/watch$1" ] && [ ! -e "$work/seen" ]; do sleep 0.05; done
rm -f "$work/seen"
case $1 in
--csv) cat "$work/times" 2>/dev/null ||
  { echo version,time_us; echo tile,1.5; } ;;
--list) echo "tile  an idea"; echo "workers $SOFTDEVICE_WORKERS" >&2 ;;
--help) echo '  --repetitions N    measurements for each time (default 20)' ;;
--version) echo "softdevice: $SOFTDEVICE_CHECK $SOFTDEVICE_SHUFFLE at" \
    0x55aabbccddee >&2
  echo "did $*"; exit 1 ;;
--count)
  echo version,n_elems; echo tile,64; cat "$work/more" 2>/dev/null
  write() { [ -z "$1" ] || printf "$2" >"$1"; }
  write "$SOFTDEVICE_COUNTS" \
    "kernel,launch,ld_sectors\ndemo_tile,0,$(cat "$work/sectors")\n"
  write "$SOFTDEVICE_ATOMICS" \
    'kernel,launch,shared_atomic_requests\ndemo_tile,0,7\n'
  [ -z "$SOFTDEVICE_LAUNCH" ] || {
    cd "$(dirname "$SOFTDEVICE_LAUNCH")"
    echo '.version 9.0' >0123456789abcdef.ptx
    write "$SOFTDEVICE_LAUNCH" \
      'ptx 0123456789abcdef\nbuffer a f32 4 = 1\nbuffer b f32 4 = 2\n'
    echo 'launch tile 1 32 a b' >>"$SOFTDEVICE_LAUNCH"
  } ;;
esac
'''

# Stands for launch_run: what b holds decides an address, what a holds does not.
LAUNCH_RUN = r'''
[ -f 0123456789abcdef.ptx ] || exit 2
write() { [ -z "$1" ] || printf "$2" >"$1"; }
write "$SOFTDEVICE_ACCESS_MAP" "kernel,block,file,address\ndemo_tile,\
$SOFTDEVICE_ACCESS_BLOCK,/x/code/demo.cu,$(grep -c 'b f32 4 = 2' "$1")\n"
write "$SOFTDEVICE_TRACE" \
  'k,l,x,y,z,w,s,file,line\nt,1,0,0,0,0,0,/x/code/demo/demo.cu,7\n'
write "$SOFTDEVICE_COUNTS" 'kernel\ndemo_tile\n'
'''

GPU = r'''
say() { cat "$work/$1" 2>/dev/null || echo "$2"; }
case "$*" in
-L) say gpus 'GPU 0: NVIDIA Stand-In 1' ;;
*query-compute-apps*) say others '' ;;
*-lms*) while :; do
    say watched '1980, 41, 97, 0x0000000000000000'
    : >"$work/seen"
    sleep 0.05
  done ;;
*clocks_event_reasons*) echo 0x0000000000000000 ;;
*gpu=name*) echo 'NVIDIA Stand-In 1' ;;
*compute_cap*) say capability 9.0 ;;
*temperature*) echo 40 ;;
*clocks*) echo 1980 ;;
*) echo 580.1 ;;
esac
'''

NCU = r'''
while [ "$1" != --metrics ]; do
  [ "$1" != --log-file ] || log=$2
  shift
done
echo "$2" >"$work/metrics"
cp "$work/raw" "$log"
shift 2
exec "$@"
'''


class Demo(InFolder):
    EXPERIMENTS = """# name  kind    program  arguments
speed   time    demo     --csv
counts  count   demo     --count

map     access  demo     SOFTDEVICE_ACCESS_BLOCK=1/0/0 --count
said    output  demo     --list
"""

    def setUp(self):
        super().setUp()
        self.tree = self.root / "a course"
        self.build = self.tree / "build"
        self.write("a course/code/demo/demo.cu", "")
        self.write("a course/build/device/libcudart.so.13", "")
        self.write("a course/build/device/libsoftdevice.so", "")
        self.write("a course/bench/reference", "h200\n")
        self.write("a course/bench/common/ncu_metrics", "ld_sectors = a.sum\n")
        self.experiments(self.EXPERIMENTS)
        self.write("sectors", "4\n")
        self.stand_in("a course/build/code/demo/demo", PROGRAM)
        self.stand_in("a course/build/device/launch_run", LAUNCH_RUN)
        self.stand_in("bin/nvcc", 'echo "release 13.0, V$(cat "$work/toolkit"'
                      ' 2>/dev/null || echo 13.0.88)"')
        self.stand_in("bin/ninja", 'case "$*" in *commands*) echo "/x/nvcc'
                      ' -std=c++17 -O3 -gencode arch=compute_90,code=sm_90 -I'
                      ' /x/code -MD -MF x.d -MT x -o x /x/demo.cu" ;; esac')
        self.stand_in("bin/nvidia-smi", "exit 9")
        keep = {name: value for name, value in os.environ.items()
                if not name.startswith(("SOFTDEVICE_", "CUDA_", "COURSE_"))}
        keep.update(PATH=f"{self.root}/bin:/usr/bin:/bin",
                    CUDA_HOME=str(self.root / "nowhere"),
                    COURSE_COMMIT="abc123")
        patch = mock.patch.dict(os.environ, keep, clear=True)
        patch.start()
        self.addCleanup(patch.stop)
        self.errors = []

    def stand_in(self, path, script):
        file = self.write(path, f'#!/bin/sh\nwork="{self.root}"\n{script}\n')
        file.chmod(0o755)

    def compiled(self):
        """The program is newer than its sources."""
        os.utime(self.build / "code/demo/demo")

    def with_gpu(self):
        self.stand_in("bin/nvidia-smi", GPU)

    def experiments(self, text):
        self.write("a course/bench/demo/experiments", text)

    def add_experiment(self, line):
        self.experiments(self.EXPERIMENTS + line + "\n")

    def place(self):
        return Workplace(self.tree, self.build)

    def measure(self, name, machine, file=None):
        """Returns the result's lines, and keeps what was said of doubts."""
        place = self.place()
        one = place.experiment("demo", name)
        file = file or self.root / f"r.{one.kind.extension}"
        self.doubt = measure(place, one, machine, pathlib.Path(file),
                             self.errors.append)
        return file.read_text().split("\n")

    def holds(self, lines, *wanted):
        for line in wanted:
            self.assertIn(line, lines)
