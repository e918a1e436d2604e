/* Limits of textures and surfaces: those of an H200, which the CUDA
 * Programming Guide lists alike for compute capabilities 7.5 to 9.0. */
#include "property.h"

static void set_pair(int *to, int a, int b)
{
  to[0] = a;
  to[1] = b;
}

static void set3(int *to, int a, int b, int c)
{
  set_pair(to, a, b);
  to[2] = c;
}

void property_fill_textures(struct cudaDeviceProp *p)
{
  p->textureAlignment = p->surfaceAlignment = 512;
  p->texturePitchAlignment = 32;
  p->maxTexture1D = 131072;
  p->maxTexture1DMipmap = 32768;
  set_pair(p->maxTexture2D, 131072, 65536);
  set_pair(p->maxTexture2DMipmap, 32768, 32768);
  set3(p->maxTexture2DLinear, 131072, 65000, 2097120);
  set_pair(p->maxTexture2DGather, 32768, 32768);
  set3(p->maxTexture3D, 16384, 16384, 16384);
  set3(p->maxTexture3DAlt, 8192, 8192, 32768);
  p->maxTextureCubemap = 32768;
  set_pair(p->maxTexture1DLayered, 32768, 2048);
  set3(p->maxTexture2DLayered, 32768, 32768, 2048);
  set_pair(p->maxTextureCubemapLayered, 32768, 2046);
  p->maxSurface1D = 32768;
  set_pair(p->maxSurface2D, 131072, 65536);
  set3(p->maxSurface3D, 16384, 16384, 16384);
  set_pair(p->maxSurface1DLayered, 32768, 2048);
  set3(p->maxSurface2DLayered, 32768, 32768, 2048);
  p->maxSurfaceCubemap = 32768;
  set_pair(p->maxSurfaceCubemapLayered, 32768, 2046);
}
