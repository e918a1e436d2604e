echo (cuda-gdb) run\n
run
echo (cuda-gdb) info cuda kernels\n
info cuda kernels
echo (cuda-gdb) info cuda warps\n
info cuda warps
echo (cuda-gdb) info cuda lanes\n
info cuda lanes
echo (cuda-gdb) print where[i]\n
print where[i]
echo (cuda-gdb) print where[i]@32\n
print where[i]@32
echo (cuda-gdb) cuda thread 41\n
cuda thread 41
echo (cuda-gdb) print i\n
print i
echo (cuda-gdb) print where[i]\n
print where[i]
