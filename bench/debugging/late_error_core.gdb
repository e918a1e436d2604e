echo (cuda-gdb) target cudacore late_error.core\n
target cudacore late_error.core
echo (cuda-gdb) info cuda kernels\n
info cuda kernels
echo (cuda-gdb) x/i $errorpc\n
x/i $errorpc
echo (cuda-gdb) print where[i]@32\n
print where[i]@32
echo (cuda-gdb) cuda thread 41\n
cuda thread 41
echo (cuda-gdb) print i\n
print i
