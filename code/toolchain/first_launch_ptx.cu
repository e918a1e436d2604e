/* first_launch as it would be on a GPU newer than all machine code in it: it is
 * compiled to PTX only, and the driver must translate that. */
#include "first_launch.cu"
