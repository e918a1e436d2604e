/* What happens when the process ends, however it calls for it. */
#include "../report/report.h"
#include "api_check.h"
#include "forked.h"
#include "output.h"

/* After main, the program's own atexit functions and destructors, which may
 * still launch kernels. */
__attribute__((destructor)) static void finish(void)
{
  if (forked_is(false))
    return;
  output_at_exit();
  report_finish();
  api_check_finish();
}
