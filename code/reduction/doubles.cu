/* The same ladder for doubles: those of the lab sheet are 2 097 152.
 *
 *   nvcc -I code code/reduction/doubles.cu code/reduction/cub_sum.cu \
 *     -o doubles && ./doubles --size 2097152 */
#define NUMBER double
#include "reduction/reduction.cu"
