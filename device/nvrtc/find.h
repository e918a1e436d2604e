/* The CUDA Toolkit's own libnvrtc.so.13, which does the work. */
#ifndef DEVICE_NVRTC_FIND_H
#define DEVICE_NVRTC_FIND_H

/* The address of its function `name`. Where there is no such library, says
 * where it was looked for and ends the program. */
void *toolkit_function(const char *name);

#endif
