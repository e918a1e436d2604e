# What this machine has. Sourced by course and bench/common/measure.

# Prints where the CUDA Toolkit's program $1 is: on PATH, in CUDA_HOME or
# CUDA_PATH, or else where the toolkit installs itself.
find_cuda_program() {
  command -v "$1" && return
  program=${CUDA_HOME:-${CUDA_PATH:-/usr/local/cuda}}/bin/$1
  [ -x "$program" ] && echo "$program"
}

# Is there a GPU that programs can use?
gpu_here() {
  nvidia-smi -L 2>/dev/null | grep -q '^GPU'
}

# Prints field $1 of the GPU that CUDA programs use here (nvidia-smi
# --help-query-gpu names the fields); "unknown" if the driver does not say.
gpu_field() {
  value=$(nvidia-smi -i "$(gpu_index)" --query-gpu="$1" \
    --format=csv,noheader,nounits 2>/dev/null | sed -n 1p)
  echo "${value:-unknown}"
}

# CUDA numbers GPUs by speed unless told otherwise; nvidia-smi by bus.
gpu_index() {
  visible=${CUDA_VISIBLE_DEVICES:-0}
  echo "${visible%%,*}"
}

# How many GPUs CUDA programs may use here.
gpus_here() {
  if [ -n "${CUDA_VISIBLE_DEVICES:-}" ]; then
    echo "$CUDA_VISIBLE_DEVICES" | tr ',' '\n' | grep -c .
  else
    nvidia-smi -L 2>/dev/null | grep -c '^GPU'
  fi
}

# The short name of this machine's GPU, as file names carry it: "NVIDIA H200"
# is h200, "NVIDIA GeForce RTX 4090" is geforce_rtx_4090.
gpu_machine() {
  gpu_field name | tr '[:upper:]' '[:lower:]' |
    sed 's/^nvidia //; s/[^a-z0-9][^a-z0-9]*/_/g; s/^_//; s/_$//'
}

# Sets the environment so that a listing runs on the GPU.
use_gpu() {
  export CUDA_DEVICE_ORDER=PCI_BUS_ID
  if nvcc=$(find_cuda_program nvcc); then
    libraries=$(dirname "$(dirname "$(readlink -f "$nvcc")")")/lib64
    [ -d "$libraries" ] &&
      export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
  fi
  return 0
}
