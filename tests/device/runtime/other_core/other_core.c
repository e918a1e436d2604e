/* A libsoftdevice.so that was built with other headers: its functions have
 * another version, which other_core.map gives. */
void softdevice_other(void);
__attribute__((visibility("default"))) void softdevice_other(void) {}
