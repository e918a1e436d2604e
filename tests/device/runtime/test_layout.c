/* api.h against the toolkit's header. */
#include "layout.h"
#include "test.h"

BEHAVIOUR(api_agrees_with_the_toolkit)
{
  for (size_t i = 0; layout_ours[i].what != NULL; i++)
    test_equal("layout", (int)i, layout_ours[i].what,
               (long long)layout_ours[i].value,
               (long long)layout_toolkit[i].value);
}
