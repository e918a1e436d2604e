#!/usr/bin/env python3
"""A kernel in CUDA C, compiled and launched from Python, by nothing but what
comes with Python: ctypes calls NVRTC and the driver.

    python3 code/outlook/from_python.py
"""
import array
import ctypes
import random
import sys

# begin source
SOURCE = b"""
extern "C" __global__ void saxpy(float *y, const float *x, float factor,
                                 unsigned n)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += factor * x[i];
}
"""
# end source


def open_library(name):
    try:
        return ctypes.CDLL(name)
    except OSError as error:
        print(f"needs {name}: {error}")
        sys.exit(77)


def check(status, call):
    if status != 0:
        sys.exit(f"error: {call} returned {status}")


class Library:
    """Calls functions of a C library; any status but 0 ends the program."""

    def __init__(self, name):
        self.library = open_library(name)

    def __getattr__(self, call):
        function = getattr(self.library, call)
        return lambda *arguments: check(function(*arguments), call)


# begin compiled
def compiled(nvrtc, source, target):
    """The kernel's PTX."""
    program, n_bytes = ctypes.c_void_p(), ctypes.c_size_t()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"saxpy.cu", 0,
                             None, None)
    flags = (ctypes.c_char_p * 1)(b"--gpu-architecture=" + target)
    nvrtc.nvrtcCompileProgram(program, 1, flags)
    nvrtc.nvrtcGetPTXSize(program, ctypes.byref(n_bytes))
    ptx = ctypes.create_string_buffer(n_bytes.value)
    nvrtc.nvrtcGetPTX(program, ptx)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return ptx
# end compiled


class Device:
    """The first GPU, ready for launches."""

    def __init__(self):
        self.cuda = Library("libcuda.so.1")
        self.number, context = ctypes.c_int(), ctypes.c_void_p()
        self.cuda.cuInit(0)
        self.cuda.cuDeviceGet(ctypes.byref(self.number), 0)
        self.cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), self.number)
        self.cuda.cuCtxSetCurrent(context)

    def kernel(self, ptx, name):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.cuda.cuModuleLoadData(ctypes.byref(module), ptx)
        self.cuda.cuModuleGetFunction(ctypes.byref(function), module, name)
        return function

    def array(self, values):
        """A copy on the device of an array of the host."""
        address, n_bytes = values.buffer_info()
        n_bytes *= values.itemsize
        copy = ctypes.c_uint64()
        self.cuda.cuMemAlloc_v2(ctypes.byref(copy), ctypes.c_size_t(n_bytes))
        self.cuda.cuMemcpyHtoD_v2(copy, ctypes.c_void_p(address),
                                  ctypes.c_size_t(n_bytes))
        return copy

    def copy_back(self, values, copy):
        address, n = values.buffer_info()
        self.cuda.cuMemcpyDtoH_v2(ctypes.c_void_p(address), copy,
                                  ctypes.c_size_t(n * values.itemsize))

    # begin launch
    def launch(self, kernel, n_blocks, n_threads, *arguments):
        """The driver wants the address of each argument."""
        addresses = (ctypes.c_void_p * len(arguments))(
            *[ctypes.addressof(argument) for argument in arguments])
        self.cuda.cuLaunchKernel(kernel, n_blocks, 1, 1, n_threads, 1, 1, 0,
                                 None, addresses, None)
    # end launch


# begin saxpy
def saxpy(device, kernel, y, x, factor):
    d_x, d_y = device.array(x), device.array(y)
    device.launch(kernel, (len(x) + 255) // 256, 256, d_y, d_x,
                  ctypes.c_float(factor), ctypes.c_uint(len(x)))
    device.copy_back(y, d_y)
    device.cuda.cuMemFree_v2(d_x)
    device.cuda.cuMemFree_v2(d_y)
# end saxpy


def main():
    device = Device()
    ptx = compiled(Library("libnvrtc.so.13"), SOURCE, b"compute_75")
    kernel = device.kernel(ptx, b"saxpy")
    for n in (1, 255, 1000):
        x = array.array("f", [random.randrange(100) for _ in range(n)])
        y = array.array("f", [random.randrange(100) for _ in range(n)])
        expected = [b + 3 * a for a, b in zip(x, y)]
        saxpy(device, kernel, y, x, 3)
        if list(y) != expected:
            sys.exit(f"saxpy of {n} numbers: wrong")
    print("check: all right")


if __name__ == "__main__":
    main()
