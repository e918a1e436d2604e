# What this machine has, as far as shell programs ask: tools/results/here.py
# has the rest. Sourced by course and tests/listing.

# Prints where the CUDA Toolkit's program $1 is: on PATH, in CUDA_HOME or
# CUDA_PATH, or else where the toolkit installs itself.
find_cuda_program() {
  command -v "$1" && return
  program=${CUDA_HOME:-${CUDA_PATH:-/usr/local/cuda}}/bin/$1
  [ -x "$program" ] && echo "$program"
}

# WSL has nvidia-smi in a folder that not every shell looks into.
wsl=${COURSE_WSL:-/usr/lib/wsl/lib}
if ! command -v nvidia-smi >/dev/null && [ -x "$wsl/nvidia-smi" ]; then
  PATH=$PATH:$wsl
  export PATH
fi

# Is there a GPU that programs can use?
gpu_here() {
  nvidia-smi -L 2>/dev/null | grep -q '^GPU'
}

# Prints how nvidia-smi calls the GPU that CUDA programs use here. A MIG slice is
# named by a UUID, which stands below its GPU in the list.
gpu_index() {
  visible=${CUDA_VISIBLE_DEVICES:-0}
  visible=${visible%%,*}
  case $visible in
  MIG-*) nvidia-smi -L 2>/dev/null | awk -v slice="$visible" '
      /^GPU / { gpu = $2; sub(/:.*/, "", gpu) }
      index($0, "UUID: " slice ")") { found = gpu }
      END { print found + 0 }' ;;
  *) echo "$visible" ;;
  esac
}

# Prints field $1 of the GPU that CUDA programs use here (nvidia-smi
# --help-query-gpu names the fields); "unknown" if the driver does not say.
# CUDA numbers GPUs by speed by default, nvidia-smi by bus.
gpu_field() {
  value=$(nvidia-smi -i "$(gpu_index)" --query-gpu="$1" \
    --format=csv,noheader,nounits 2>/dev/null | sed -n 1p)
  echo "${value:-unknown}"
}

# Sets the environment so that a listing runs on the GPU. The software device
# of the build folder $1 is not looked at: Meson puts the libraries that a test
# depends on first.
use_gpu() {
  export CUDA_DEVICE_ORDER=PCI_BUS_ID
  LD_LIBRARY_PATH=$(printf %s "${LD_LIBRARY_PATH:-}" | tr ':' '\n' |
    grep -vxF "$1/device" | paste -sd: -)
  export LD_LIBRARY_PATH
  if nvcc=$(find_cuda_program nvcc); then
    libraries=$(dirname "$(dirname "$(readlink -f "$nvcc")")")/lib64
    [ -d "$libraries" ] &&
      export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
  fi
  return 0
}
