echo (cuda-gdb) run\n
run
echo (cuda-gdb) cuda block thread\n
cuda block thread
echo (cuda-gdb) print i\n
print i
echo (cuda-gdb) print where[i]\n
print where[i]
echo (cuda-gdb) print where[i]@32\n
print where[i]@32
echo (cuda-gdb) cuda thread 41\n
cuda thread 41
echo (cuda-gdb) print where[i]\n
print where[i]
