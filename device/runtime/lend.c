/* Fills the table that the other libraries use. */
#include "lend.h"

#include "../fatbin/fatbin.h"
#include "forked.h"
#include "ordering.h"
#include "stream.h"

const struct softdevice_core softdevice_core = {
  .lend = state_lend,
  .take_back = state_take_back,
  .message = state_message,
  .context = state_context,
  .set_context = state_set_context,
  .is_used = state_is_used,
  .watch_forks = forked_watch,
  .is_forked = forked_is,
  .current_device = current_device,
  .enter = state_enter,
  .settle = state_settle,
  .wait = state_wait,
  .fault = state_fault,
  .is_dead = state_is_dead,
  .explain = explain,
  .config = config,
  .memory_find = memory_find,
  .memory_nearest = memory_nearest,
  .memory_view = memory_view,
  .memory_show = memory_show,
  .memory_hide = memory_hide,
  .memory_take = memory_take,
  .memory_give = memory_give,
  .virtual_take = virtual_take,
  .virtual_pages = virtual_pages,
  .virtual_give = virtual_give,
  .virtual_show = virtual_show,
  .function = registry_function,
  .load = registry_load,
  .stream_is_valid = stream_is_valid,
  .stream_device = stream_device,
  .stream_after_all = ordering_stream_after_all,
  .fatbin_size = fatbin_size,
};
