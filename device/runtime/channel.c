/* Channel descriptions are plain values, even while there are no textures. */
#include "api.h"

struct cudaChannelFormatDesc
cudaCreateChannelDesc(int x, int y, int z, int w,
                      enum cudaChannelFormatKind kind)
{
  return (struct cudaChannelFormatDesc){ x, y, z, w, kind };
}
