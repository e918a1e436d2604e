/* Floating-point operations of one lane in one PTX instruction. */
#ifndef DEVICE_COUNT_FLOPS_H
#define DEVICE_COUNT_FLOPS_H

struct flops {
  unsigned char f32, f64;
  unsigned matrix; /* of mma, wmma, wgmma: of any type, a warp\'s by 32 */
};

/* add, sub and mul are one operation, fma and mad two: what Nsight Compute's
 * smsp__sass_thread_inst_executed_op_{fadd,fmul,ffma,dadd,dmul,dfma} count.
 * Everything else is none: comparing, converting and atomic adding as well,
 * and divisions and roots, which a GPU makes of several such instructions. */
struct flops flops_of(const char *opcode);

#endif
