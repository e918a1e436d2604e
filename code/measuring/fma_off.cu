/* fma as nvcc -fmad=false compiles it: only what is written as fmaf is one. */
#include "measuring/fma.cu"
