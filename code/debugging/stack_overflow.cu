/* Recursion whose depth depends on the data, on a small stack. */
#include "debugging/bug.h"

enum { N_NODES = 20000, NONE = -1 };

typedef struct {
  int left, right;      /* always greater than the node's own number */
} node;

// begin broken
__device__ int depth_of(const node *tree, int at)
{
  if (at == NONE)
    return 0;
  int left = depth_of(tree, tree[at].left);
  int right = depth_of(tree, tree[at].right);
  return 1 + max(left, right);
}

__global__ void depth_broken(int *depth, const node *tree, int n)
{
  depth[0] = depth_of(tree, 0);
}
// end broken

/* Children have greater numbers, so each node finds theirs ready. */
__global__ void depth_fixed(int *depth, const node *tree, int n)
{
  for (int at = n - 1; at >= 0; at--) {
    int left = tree[at].left == NONE ? 0 : depth[tree[at].left];
    int right = tree[at].right == NONE ? 0 : depth[tree[at].right];
    depth[at] = 1 + max(left, right);
  }
}

/* A tree that is one long branch. */
static int run(void (*kernel)(int *, const node *, int))
{
  static node h_tree[N_NODES];
  static int h_depth[N_NODES];
  for (int i = 0; i < N_NODES; i++) {
    h_tree[i].left = i % 2 == 0 && i + 1 < N_NODES ? i + 1 : NONE;
    h_tree[i].right = i % 2 == 1 && i + 1 < N_NODES ? i + 1 : NONE;
  }
  node *d_tree = (node *)bug_upload(h_tree, sizeof h_tree);
  int *d_depth = (int *)bug_upload(h_depth, sizeof h_depth);
  kernel<<<1, 1>>>(d_depth, d_tree, N_NODES);
  TRY_LAUNCH();
  bug_download(h_depth, d_depth, sizeof h_depth);
  TRY(cudaFree(d_tree));
  return h_depth[0] == N_NODES;
}

static int fixed(void) { return run(depth_fixed); }
static int broken(void) { return run(depth_broken); }

static const version versions[] = {
  {"fixed", "a loop from the leaves up", 0, fixed},
  {"broken", "recursion from the root down", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "recursion deeper than the stack");
}
