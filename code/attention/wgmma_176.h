/* A product of 64 × 176, besides the shapes of hopper.h. */
#ifndef CODE_ATTENTION_WGMMA_176_H
#define CODE_ATTENTION_WGMMA_176_H

#include "common/hopper.h"

#define NAMES_88 TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) \
                 "%80,%81,%82,%83,%84,%85,%86,%87"
#define REGISTERS_88(i) REGISTERS_64(i), REGISTERS_16(i + 64), \
                        REGISTERS_4(i + 80), REGISTERS_4(i + 84)
WGMMA(88, 176, 88, 89, 90, 91, 92, 93)

#endif
