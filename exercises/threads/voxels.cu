//! title Voxels
//! difficulty 2
//! question Space is divided into nx × ny × nz voxels. The one at (x, y, z) is to become
//!   x + 100 y + 10000 z. The threads have three dimensions, x the fastest: blocks of
//!   8 × 4 × 2, and as many as are needed in each direction. In memory, voxels that are
//!   neighbours in x are neighbours, and then come those in y.
//! hint Three indices, each made of blockIdx, blockDim and threadIdx of its own
//!   direction; three guards.
//! hint How many voxels come before the first one of row y? And before the first one of
//!   layer z?
//! hint The place is (z * ny + y) * nx + x: the sizes in it are the voxels', not the
//!   grid's.
//!
//! case nx=1,8,9 ny=1,5 nz=1,3
//! case nx=20 ny=7 nz=5
//! buffer v s32 (nx*ny*nz)
//! launch voxels (nx+7)/8,(ny+3)/4,(nz+1)/2 8,4,2
//!
//! wrong grid_sizes : counted in threads of the grid, not in voxels
//!   replace (z * ny + y) * nx + x
//!   with (z * gridDim.y * blockDim.y + y) * gridDim.x * blockDim.x + x
//!   says outside of the array
//! wrong swapped : x and z have changed places
//!   replace (z * ny + y) * nx + x
//!   with (x * ny + y) * nz + z
//!   says should be
//! wrong one_guard : a guard for the place instead of one for each index
//!   replace if (x < nx && y < ny && z < nz)
//!   with if ((z * ny + y) * nx + x < nx * ny * nz)
//!   says writes v[
//!   says comes first
//! wrong no_layers : all threads work in layer 0
//!   replace z = blockIdx.z * blockDim.z + threadIdx.z
//!   with z = 0
//!   says nx = 1, ny = 1 and nz = 3

// begin reference
__global__ void reference(int *v, int nx, int ny, int nz)
{
  for (int z = 0; z < nz; z++)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++)
        v[(z * ny + y) * nx + x] = x + 100 * y + 10000 * z;
}
// end reference

// begin model
__global__ void voxels(int *v, int nx, int ny, int nz)
{
  // hole: one voxel for each thread.
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < nx && y < ny && z < nz)
    v[(z * ny + y) * nx + x] = x + 100 * y + 10000 * z;
  // end hole
}
// end model
