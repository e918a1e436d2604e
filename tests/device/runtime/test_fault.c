/* The message about a kernel that went wrong. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <sys/mman.h>
#include <unistd.h>

#include "check/fault.h"
#include "check/source.h"
#include "memory/memory.h"
#include "test.h"

static struct fault fault = {
  .kind = FAULT_OUT_OF_BOUNDS,
  .kernel = "_Z5scalePfi",
  .space = SPACE_GLOBAL,
  .bytes = 4,
  .is_store = 1,
  .ptx_line = 40,
  .instruction = "st.global.f32 [%rd4], %f2;",
  .block = { 1, 2, 3 },
  .thread = { 4, 5, 6 },
};

static uint64_t allocation(size_t bytes)
{
  return memory_allocate(bytes, 256, MEMORY_DEVICE, 0, NULL);
}

/* Line 2, column 7. */
static struct source_line at_2_7(const char *file)
{
  return (struct source_line){ .file = file, .line = 2, .column = 7 };
}

static const char *report(void)
{
  capture_begin(2);
  fault_report(&fault);
  return capture_end();
}

static const char *report_at(uint64_t address)
{
  fault.address = address;
  return report();
}

BEHAVIOUR(what_and_who)
{
  const char *text = report();
  CHECK_HAS(text, "out of bounds: store of 4 bytes to global memory");
  CHECK_HAS(text, "in kernel scale, block (1,2,3), thread (4,5,6)");
  CHECK_HAS(text, "PTX line 40: st.global.f32 [%rd4], %f2;");
}

BEHAVIOUR(source_line_with_a_caret)
{
  const char *path = "source_line.cu";
  FILE *out = fopen(path, "w");
  fputs("one\n\ta[i] = 2 * a[i];\n", out);
  fclose(out);
  fault.source = at_2_7(path);
  CHECK_HAS(report(), "  at source_line.cu:2:7\n"
                      "      2 | \ta[i] = 2 * a[i];\n"
                      "        | \t     ^\n");
  remove(path);
}

BEHAVIOUR(source_that_is_gone)
{
  fault.source = at_2_7("/nowhere/x.cu");
  CHECK_HAS(report(), "  at /nowhere/x.cu:2:7\n  in kernel");
}

BEHAVIOUR(no_line_information)
{
  CHECK_HAS(report(), "compile with `nvcc -lineinfo`");
}

BEHAVIOUR(past_the_end)
{
  uint64_t address = allocation(4000);
  CHECK_HAS(report_at(address + 4004),
            "4 bytes past the end of allocation 1 (cudaMalloc of 4000 bytes)");
  CHECK_HAS(report_at(address + 4000), "right past the end of allocation 1");
}

BEHAVIOUR(before_the_beginning)
{
  uint64_t address = allocation(4000);
  CHECK_HAS(report_at(address - 8), "8 bytes before allocation 1");
}

BEHAVIOUR(use_after_free)
{
  uint64_t address = allocation(4000);
  memory_release(address);
  CHECK_HAS(report_at(address + 16),
            "use after free: 16 bytes into freed allocation 1");
}

BEHAVIOUR(variable_by_name)
{
  uint64_t address = memory_allocate(64, 256, MEMORY_VARIABLE, 0, "table");
  CHECK_HAS(report_at(address + 68),
            "4 bytes past the end of variable table of 64 bytes");
}

BEHAVIOUR(null_pointer)
{
  CHECK_HAS(report_at(0), "a null pointer");
  CHECK_HAS(report_at(400), "a null pointer");
}

BEHAVIOUR(host_pointer)
{
  int here;
  allocation(4000);
  CHECK_HAS(report_at((uint64_t)(uintptr_t)&here), "a pointer of the host");
}

BEHAVIOUR(wild_pointer)
{
  CHECK_HAS(report_at(UINT64_C(0xfff5fff5fff5fff5)), "not set, or overwritten");
}

BEHAVIOUR(misaligned)
{
  fault.kind = FAULT_MISALIGNED;
  uint64_t address = allocation(4000);
  const char *text = report_at(address + 6);
  CHECK_HAS(text, "misaligned address");
  CHECK_HAS(text, "2 bytes off a multiple of 4");
  CHECK_HAS(text, "6 bytes into allocation 1");
}

BEHAVIOUR(shared_memory)
{
  fault.space = SPACE_SHARED;
  CHECK_HAS(report_at(4096), "address 0x1000 of shared memory");
}

BEHAVIOUR(unsupported_instruction)
{
  fault.kind = FAULT_UNSUPPORTED;
  const char *text = report();
  CHECK_HAS(text, "instruction not supported\n");
  CHECK_HAS(text, "st.global.f32");
}

BEHAVIOUR(detail_is_shown)
{
  fault.kind = FAULT_ASSERT;
  snprintf(fault.detail, sizeof fault.detail, "x.cu:3: i < n");
  CHECK_HAS(report(), "assertion failed\n");
  CHECK_HAS(report(), "  x.cu:3: i < n\n");
}

BEHAVIOUR(paths_below_the_base_are_short)
{
  fault.source = at_2_7("/some/where/code/x.cu");
  setenv("SOFTDEVICE_SOURCE_BASE", "/some/where/", 1);
  CHECK_HAS(report(), "  at code/x.cu:2:7\n");
}

BEHAVIOUR(paths_lose_their_detours)
{
  fault.source = at_2_7("/some/build/../where/./x.cu");
  CHECK_HAS(report(), "  at /some/where/x.cu:2:7\n");
  fault.source = at_2_7("../../x.cu");
  CHECK_HAS(report(), "  at ../../x.cu:2:7\n");
  fault.source = at_2_7("/../x.cu");
  CHECK_HAS(report(), "  at /../x.cu:2:7\n");
}

/* A name of which the next byte cannot be read. */
BEHAVIOUR(name_is_read_to_its_end_and_no_further)
{
  const char *names[] = { "/a/x.cu", "/a/b/../x.cu", "x.cu" };
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  CHECK(pages != MAP_FAILED && mprotect(pages + page, page, PROT_NONE) == 0);
  setenv("SOFTDEVICE_SOURCE_BASE", "/a", 1);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t bytes = strlen(names[i]) + 1;

    memcpy(pages + page - bytes, names[i], bytes);
    CHECK_TEXT(source_name(pages + page - bytes), "x.cu");
  }
  munmap(pages, 2 * page);
}
