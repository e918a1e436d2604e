/* The files about what the launches did. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory/memory.h"
#include "report/report.h"
#include "test.h"

static struct instruction_record records[] = {
  { .source = { "/src/k.cu", 3, 5 },
    .class_ = COUNT_GLOBAL_LOAD,
    .access_bytes = 4,
    .counts = { .warps = 10, .threads = 320, .sectors = 320 } },
  { .source = { "/src/k.cu", 3, 9 },
    .class_ = COUNT_ARITHMETIC,
    .flops = { 2, 0 },
    .counts = { .warps = 10, .threads = 320 } },
  { .source = { "/src/k.cu", 7, 1 },
    .class_ = COUNT_SHARED_STORE,
    .access_bytes = 4,
    .counts = { .warps = 10,
                .threads = 320,
                .wavefronts = 50,
                .ideal_wavefronts = 10 } },
  { .source = { "/src/k.cu", 8, 1 },
    .class_ = COUNT_BRANCH,
    .counts = { .warps = 10, .threads = 320, .divergent = 5 } },
  { .source = { "/src/k.cu", 9, 1 }, .class_ = COUNT_BARRIER },
  { .source = { NULL, 0, 0 },
    .class_ = COUNT_GLOBAL_STORE,
    .access_bytes = 8,
    .counts = { .warps = 2, .threads = 64, .sectors = 16 } },
};

static const struct launch_counts counts = { sizeof records / sizeof *records,
                                             records };

static struct report_launch launch_id = {
  "_Z5scaleIfLi2EEvPT_", 1, { 2, 3, 4 }, { 32, 8, 1 }
};

static void run(void)
{
  struct launch launch = { 0 };
  report_begin(&launch_id, &launch);
  report_add(&launch_id, &counts);
}

static const char *text_report(void)
{
  setenv("SOFTDEVICE_REPORT", "report.txt", 1);
  setenv("SOFTDEVICE_SOURCE_BASE", "/src", 1);
  run();
  launch_id.number = 2;
  run();
  report_finish();
  const char *text = file_text("report.txt");
  remove("report.txt");
  return text;
}

BEHAVIOUR(counts_per_launch)
{
  setenv("SOFTDEVICE_COUNTS", "counts.csv", 1);
  run();
  report_finish();
  CHECK_TEXT(
      file_text("counts.csv"),
      "kernel,launch,grid_x,grid_y,grid_z,block_x,block_y,block_z,"
      "warp_instructions,thread_instructions,ld_requests,ld_sectors,"
      "st_requests,st_sectors,atomic_requests,atomic_sectors,"
      "shared_ld_requests,shared_ld_wavefronts,shared_ld_conflicts,"
      "shared_st_requests,shared_st_wavefronts,shared_st_conflicts,"
      "local_ld_requests,local_st_requests,branches,divergent_branches,"
      "barriers,flop_f32,flop_f64\n"
      "scale<float;2>,1,2,3,4,32,8,1,42,1344,10,320,2,16,0,0,0,0,0,10,50,40,"
      "0,0,10,5,0,640,0\n");
  remove("counts.csv");
}

BEHAVIOUR(caches_per_launch)
{
  setenv("SOFTDEVICE_CACHES", "caches.csv", 1);
  records[0].class_ = COUNT_CONSTANT_LOAD;
  records[0].counts.wavefronts = 70;
  records[5].class_ = COUNT_TEXTURE;
  run();
  report_finish();
  CHECK_TEXT(file_text("caches.csv"),
             "kernel,launch,grid_x,grid_y,grid_z,block_x,block_y,block_z,"
             "constant_ld_requests,constant_ld_words,texture_requests\n"
             "scale<float;2>,1,2,3,4,32,8,1,10,70,2\n");
  remove("caches.csv");
}

/* A load of a parameter has the class of constants, but no words. */
BEHAVIOUR(parameters_are_no_constants)
{
  setenv("SOFTDEVICE_CACHES", "caches.csv", 1);
  records[0].class_ = COUNT_CONSTANT_LOAD;
  records[0].counts.wavefronts = 70;
  records[1].class_ = COUNT_CONSTANT_LOAD;
  run();
  report_finish();
  CHECK_HAS(file_text("caches.csv"), "scale<float;2>,1,2,3,4,32,8,1,10,70,0\n");
  remove("caches.csv");
}

BEHAVIOUR(atomics_per_launch)
{
  setenv("SOFTDEVICE_ATOMICS", "atomics.csv", 1);
  records[0].class_ = COUNT_SHARED_ATOMIC;
  records[0].counts.wavefronts = 70;
  run();
  report_finish();
  CHECK_TEXT(file_text("atomics.csv"),
             "kernel,launch,grid_x,grid_y,grid_z,block_x,block_y,block_z,"
             "shared_atomic_requests,shared_atomic_wavefronts\n"
             "scale<float;2>,1,2,3,4,32,8,1,10,70\n");
  remove("atomics.csv");
}

BEHAVIOUR(matrices_and_copies_per_launch)
{
  setenv("SOFTDEVICE_TENSOR", "tensor.csv", 1);
  records[0].class_ = COUNT_MATRIX;
  records[0].flops.matrix = 128;
  records[1].class_ = COUNT_COPY_LOAD;
  run();
  report_finish();
  CHECK_HAS(file_text("tensor.csv"),
            "matrix_instructions,matrix_operations,matrix_wavefronts,"
            "copy_ld_requests,"
            "copy_ld_sectors,copy_st_requests,copy_st_sectors\n");
  CHECK_HAS(file_text("tensor.csv"), "scale<float;2>,1,2,3,4,32,8,1,10,");
  remove("tensor.csv");
}

BEHAVIOUR(report_tells_words_of_constants)
{
  records[0].class_ = COUNT_CONSTANT_LOAD;
  records[0].counts.wavefronts = 70;
  CHECK_HAS(text_report(), "constant load requests               20   "
                           "7.00 words per request, ideal 1.00");
}

BEHAVIOUR(counts_per_line)
{
  setenv("SOFTDEVICE_LINES", "lines.csv", 1);
  setenv("SOFTDEVICE_SOURCE_BASE", "/src", 1);
  run();
  report_finish();
  const char *text = file_text("lines.csv");
  CHECK_HAS(text, "kernel,launch,file,line,warp_instructions,");
  CHECK_HAS(text, "scale<float;2>,1,,0,2,64,0,0,2,16,");
  CHECK_HAS(text, "scale<float;2>,1,k.cu,3,20,640,10,320,0,0,");
  CHECK_HAS(text, "scale<float;2>,1,k.cu,8,10,320,");
  CHECK(strstr(text, "k.cu,9") == NULL); /* never executed */
  remove("lines.csv");
}

BEHAVIOUR(file_appears_at_the_end)
{
  setenv("SOFTDEVICE_COUNTS", "late.csv", 1);
  run();
  CHECK(fopen("late.csv", "r") == NULL);
  report_finish();
  CHECK_HAS(file_text("late.csv"), "scale");
  remove("late.csv");
}

// As root, a rename onto /dev/null would replace it for everybody.
BEHAVIOUR(a_pipe_or_device_is_written_to_not_replaced)
{
  struct stat after;
  char head[8] = "";
  CHECK(mkfifo("pipe.csv", 0600) == 0);
  int reader = open("pipe.csv", O_RDONLY | O_NONBLOCK);
  setenv("SOFTDEVICE_COUNTS", "pipe.csv", 1);
  run();
  report_finish();
  CHECK(stat("pipe.csv", &after) == 0 && S_ISFIFO(after.st_mode));
  CHECK(read(reader, head, 7) == 7);
  CHECK_TEXT(head, "kernel,");
  close(reader);
  remove("pipe.csv");
}

BEHAVIOUR(no_launches_give_a_head)
{
  setenv("SOFTDEVICE_COUNTS", "empty.csv", 1);
  report_finish();
  CHECK_HAS(file_text("empty.csv"), "kernel,launch,");
  remove("empty.csv");
}

BEHAVIOUR(file_that_cannot_be_written_is_told)
{
  setenv("SOFTDEVICE_COUNTS", "/nowhere/counts.csv", 1);
  capture_begin(2);
  run();
  report_finish();
  CHECK_HAS(capture_end(), "/nowhere/counts.csv");
}

BEHAVIOUR(report_adds_the_launches_up)
{
  const char *text = text_report();
  CHECK_HAS(text, "kernel scale<float;2>\n  2 launches, grid 2 x 3 x 4, "
                  "block 32 x 8 x 1\n");
  CHECK_HAS(text, "warp instructions                    84   32.0 of 32 lanes");
}

BEHAVIOUR(report_sets_achieved_against_ideal)
{
  const char *text = text_report();
  CHECK_HAS(text, "32.00 sectors per request, ideal 4.00");
  CHECK_HAS(text, "8.00 sectors per request, ideal 8.00");
  CHECK_HAS(text, "5.00 wavefronts per request, ideal 1.00");
  CHECK_HAS(text, "50.0 % split their warp");
}

/* What is ideal depends on the lanes that are active. */
BEHAVIOUR(report_expects_less_of_partial_warps)
{
  records[0].counts.threads = 80;
  records[0].counts.sectors = 80;
  records[5].counts.threads = 32;
  records[5].counts.sectors = 8;
  const char *text = text_report();
  CHECK_HAS(text, "8.00 sectors per request, ideal 1.00");
  CHECK_HAS(text, "4.00 sectors per request, ideal 4.00");
  CHECK_HAS(text, "8.0 sectors per load request, ideal 1.0: 12.5 % of the");
}

BEHAVIOUR(report_shows_the_worst_line_first)
{
  const char *text = text_report();
  CHECK_HAS(text, "  1. k.cu:3\n     32.0 sectors per load request");
  CHECK_HAS(text, "  2. k.cu:7\n     5.0 wavefronts per shared store");
  CHECK_HAS(text, "  3. k.cu:8\n     10 of 20 branches split their warp");
}

BEHAVIOUR(report_praises_good_kernels)
{
  records[0].counts.sectors = 40;
  records[2].counts.wavefronts = 10;
  records[3].counts.divergent = 0;
  CHECK_HAS(text_report(), "No line stands out");
}

static struct lane_access access_of(enum fault_space space, uint64_t address)
{
  return (struct lane_access){ .source = { "/src/k.cu", 3, 5 },
                               .block = { 1, 0, 0 },
                               .warp = 2,
                               .lane = 5,
                               .request = 7,
                               .step = 31,
                               .space = space,
                               .operation = ACCESS_STORE,
                               .address = address,
                               .bytes = 4,
                               .wavefront = 3 };
}

static void map_begin(struct launch *launch)
{
  setenv("SOFTDEVICE_ACCESS_MAP", "map.csv", 1);
  setenv("SOFTDEVICE_SOURCE_BASE", "/src", 1);
  report_begin(&launch_id, launch);
}

static const char *map_end(void)
{
  report_finish();
  const char *text = file_text("map.csv");
  remove("map.csv");
  return text;
}

BEHAVIOUR(access_map_of_global_memory)
{
  struct launch launch = { 0 };
  uint64_t address = memory_allocate(4000, 256, MEMORY_DEVICE, 0, NULL);
  struct lane_access access = access_of(SPACE_GLOBAL, address + 132);
  map_begin(&launch);
  launch.sink(launch.sink_context, &access);
  const char *text = map_end();
  CHECK_HAS(text, "kernel,launch,file,line,space,operation,block_x,block_y,"
                  "block_z,warp,lane,request,step,address,bytes,allocation,"
                  "offset,sector,bank,wavefront\n");
  CHECK_HAS(text, "scale<float;2>,1,k.cu,3,global,store,1,0,0,2,5,7,31,132,4,1,"
                  "132,4,,\n");
}

BEHAVIOUR(access_map_of_shared_memory)
{
  struct launch launch = { 0 };
  struct lane_access access = access_of(SPACE_SHARED, 264);
  map_begin(&launch);
  launch.sink(launch.sink_context, &access);
  CHECK_HAS(map_end(), "k.cu,3,shared,store,1,0,0,2,5,7,31,264,4,,,,2,3\n");
}

BEHAVIOUR(access_map_is_of_block_0_by_default)
{
  struct launch launch = { 0 };
  map_begin(&launch);
  CHECK(launch.has_sink_block);
  CHECK_EQUAL(launch.sink_block[0], 0);
  map_end();
}

BEHAVIOUR(access_map_of_a_chosen_block)
{
  struct launch launch = { 0 };
  setenv("SOFTDEVICE_ACCESS_BLOCK", "1,2,3", 1);
  map_begin(&launch);
  CHECK(launch.has_sink_block);
  CHECK_EQUAL(launch.sink_block[2], 3);
  map_end();
}

BEHAVIOUR(access_map_of_all_blocks)
{
  struct launch launch = { 0 };
  setenv("SOFTDEVICE_ACCESS_BLOCK", "all", 1);
  map_begin(&launch);
  CHECK(launch.sink != NULL);
  CHECK(!launch.has_sink_block);
  map_end();
}

BEHAVIOUR(access_map_of_a_chosen_warp)
{
  struct launch launch = { 0 };
  struct lane_access access = access_of(SPACE_SHARED, 264);
  setenv("SOFTDEVICE_ACCESS_WARP", "2", 1);
  map_begin(&launch);
  launch.sink(launch.sink_context, &access);
  access.warp = 3;
  launch.sink(launch.sink_context, &access);
  const char *text = map_end();
  CHECK_HAS(text, "k.cu,3,shared,store,1,0,0,2,5,7,31,264,4,,,,2,3\n");
  CHECK(strstr(text, "store,1,0,0,3,") == NULL);
}

BEHAVIOUR(access_map_of_a_chosen_kernel)
{
  struct launch launch = { 0 };
  setenv("SOFTDEVICE_ACCESS_KERNEL", "other", 1);
  map_begin(&launch);
  CHECK(launch.sink == NULL);
  setenv("SOFTDEVICE_ACCESS_KERNEL", "scale", 1);
  report_begin(&launch_id, &launch);
  CHECK(launch.sink != NULL);
  map_end();
}

BEHAVIOUR(trace_of_instructions)
{
  struct launch launch = { 0 };
  struct issued_instruction issued = { .source = { "/src/k.cu", 3, 5 },
                                       .ptx_line = 40,
                                       .opcode = "add.s32",
                                       .block = { 1, 0, 0 },
                                       .warp = 2,
                                       .step = 7,
                                       .active = 0xffff,
                                       .executed = 1 };
  setenv("SOFTDEVICE_TRACE", "trace.csv", 1);
  setenv("SOFTDEVICE_SOURCE_BASE", "/src", 1);
  report_begin(&launch_id, &launch);
  CHECK(launch.sink == NULL);
  CHECK(launch.has_sink_block);
  launch.trace(launch.sink_context, &issued);
  report_finish();
  CHECK_TEXT(file_text("trace.csv"),
             "kernel,launch,block_x,block_y,block_z,warp,step,file,line,"
             "ptx_line,opcode,active_mask,executed_mask\n"
             "scale<float;2>,1,1,0,0,2,7,k.cu,3,40,add.s32,0000ffff,"
             "00000001\n");
  remove("trace.csv");
}

BEHAVIOUR(trace_of_a_chosen_kernel)
{
  struct launch launch = { 0 };
  setenv("SOFTDEVICE_TRACE", "trace.csv", 1);
  setenv("SOFTDEVICE_ACCESS_KERNEL", "other", 1);
  report_begin(&launch_id, &launch);
  CHECK(launch.trace == NULL);
  report_finish();
  remove("trace.csv");
}
