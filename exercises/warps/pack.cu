//! title To the front
//! difficulty 3
//! question Move the positive numbers of each warp to the front of the warp's 32 places in
//!   `out`, in their order, and fill the other places with zeros. Use no memory but `in`
//!   and `out`, no atomics and no loop. Blocks have 64 threads, and each has a number.
//! hint Each lane must know how many lanes before it have a positive number. One
//!   instruction tells every lane which lanes have one.
//! hint __ballot_sync gives a bit for each lane. __popc counts bits. Which bits belong to
//!   the lanes before mine?
//! hint A positive number goes to place __popc(kept & before). The other lanes write the
//!   zeros: the lanes before a lane that are not kept are lane - that many, and their
//!   places begin after all that are kept.
//!
//! case blocks=1,3 kind=0,1,2,3
//! words kind random all none alternating
//! buffer out s32 (blocks*64)
//! buffer in s32 (blocks*64) = (kind==0?mix(i+seed)%200-100:(kind==1?i+1:(kind==2?0-i:i%2)))
//! launch pack blocks 64
//! measure blocks=2 kind=0
//! goal st_sectors/st_requests 4 : sectors per store request
//!
//! wrong own_place : the kept numbers stay where they are
//!   replace in_front : n_kept + lane - in_front
//!   with lane : lane
//!   says out[0] should be
//! wrong up_to_mine : counts the own number, too
//!   replace (1u << lane) - 1
//!   with (2u << lane) - 1
//!   says With blocks = 1 and kind = random
//! wrong zeros_missing : only what is kept is written
//!   replace out[i - lane + place] = keep ? number : 0;
//!   with if (keep) out[i - lane + place] = number;
//!   says nothing was ever written to
//! wrong whole_block : the places are counted from the block's beginning
//!   replace out[i - lane + place]
//!   with out[blockIdx.x * blockDim.x + place]
//!   says comes first

// begin reference
__global__ void reference(int *out, const int *in, int blocks)
{
  for (int warp = 0; warp < blocks * 2; warp++) {
    int n = 0;
    for (int i = 0; i < 32; i++)
      if (in[warp * 32 + i] > 0)
        out[warp * 32 + n++] = in[warp * 32 + i];
    while (n < 32)
      out[warp * 32 + n++] = 0;
  }
}
// end reference

// begin model
__global__ void pack(int *out, const int *in)
{
  // hole: find this lane's place, and write to it.
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int number = in[i];
  bool keep = number > 0;
  unsigned kept = __ballot_sync(0xffffffff, keep);
  unsigned n_kept = __popc(kept), in_front = __popc(kept & ((1u << lane) - 1));
  unsigned place = keep ? in_front : n_kept + lane - in_front;
  out[i - lane + place] = keep ? number : 0;
  // end hole
}
// end model
