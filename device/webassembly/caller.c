/* WebAssembly has no host program that called: the kernel's own lines are all
 * there is to name. */
#include "../check/caller.h"

struct caller caller_now(void) { return (struct caller){ .n = 0 }; }

void caller_remember(uint64_t address, const struct caller *caller)
{
  (void)address, (void)caller;
}

bool caller_recall(uint64_t address, struct caller *caller)
{
  (void)address, (void)caller;
  return false;
}

void caller_site(const struct caller *caller, char *site, size_t n_site)
{
  (void)caller, (void)n_site;
  site[0] = '\0';
}

bool caller_source(const struct caller *caller, struct source_line *at)
{
  (void)caller, (void)at;
  return false;
}
