/* Every exported function by its name. */
#ifndef DEVICE_DRIVER_PROC_TABLE_H
#define DEVICE_DRIVER_PROC_TABLE_H

typedef int exported_call(void); /* whatever it is in truth */

/* NULL when there is none. */
exported_call *exported(const char *name);

#endif
