// Attributes of streams, user objects, captures whose streams go away. The
// expected output is an H200's.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

__global__ void add(int *at, int value) { atomicAdd(at, value); }

static void say(const char *what, cudaError_t error)
{
  printf("%s: %s\n", what, cudaGetErrorName(error));
  cudaGetLastError();
}

static void attributes()
{
  cudaStream_t one, two;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  cudaLaunchAttributeValue value = {}, got = {};
  value.accessPolicyWindow.num_bytes = 4096;
  value.accessPolicyWindow.hitRatio = 0.5f;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  cudaMalloc(&value.accessPolicyWindow.base_ptr, 4096);
  say("window", cudaStreamSetAttribute(
                    one, cudaLaunchAttributeAccessPolicyWindow, &value));
  say("get",
      cudaStreamGetAttribute(one, cudaLaunchAttributeAccessPolicyWindow, &got));
  printf("%zu %g %d\n", got.accessPolicyWindow.num_bytes,
         got.accessPolicyWindow.hitRatio, got.accessPolicyWindow.hitProp);
  value.accessPolicyWindow.hitRatio = 2;
  say("hit ratio 2", cudaStreamSetAttribute(
                         one, cudaLaunchAttributeAccessPolicyWindow, &value));
  say("policy", cudaStreamGetAttribute(
                    one, cudaLaunchAttributeSynchronizationPolicy, &got));
  printf("%d\n", got.syncPolicy);
  value.syncPolicy = cudaSyncPolicyYield;
  say("yield", cudaStreamSetAttribute(
                   one, cudaLaunchAttributeSynchronizationPolicy, &value));
  value.syncPolicy = (cudaSynchronizationPolicy)77;
  say("policy 77", cudaStreamSetAttribute(
                       one, cudaLaunchAttributeSynchronizationPolicy, &value));
  say("domain",
      cudaStreamGetAttribute(one, cudaLaunchAttributeMemSyncDomain, &got));
  printf("%d\n", (int)got.memSyncDomain);
  say("map",
      cudaStreamGetAttribute(one, cudaLaunchAttributeMemSyncDomainMap, &got));
  printf("%d %d\n", got.memSyncDomainMap.default_, got.memSyncDomainMap.remote);
  say("priority",
      cudaStreamGetAttribute(one, cudaLaunchAttributePriority, &got));
  printf("%d\n", got.priority);
  value.priority = -2;
  say("set priority",
      cudaStreamSetAttribute(one, cudaLaunchAttributePriority, &value));
  cudaStreamGetAttribute(one, cudaLaunchAttributePriority, &got);
  printf("%d\n", got.priority);
  value.cooperative = 1;
  say("cooperative",
      cudaStreamSetAttribute(one, cudaLaunchAttributeCooperative, &value));
  say("get cooperative",
      cudaStreamGetAttribute(one, cudaLaunchAttributeCooperative, &got));
  say("copy", cudaStreamCopyAttributes(two, one));
  cudaStreamGetAttribute(two, cudaLaunchAttributeSynchronizationPolicy, &got);
  printf("%d\n", got.syncPolicy);
  cudaStreamGetAttribute(two, cudaLaunchAttributeAccessPolicyWindow, &got);
  printf("%zu\n", got.accessPolicyWindow.num_bytes);
  value.syncPolicy = cudaSyncPolicySpin;
  say("stream 0", cudaStreamSetAttribute(
                      0, cudaLaunchAttributeSynchronizationPolicy, &value));
}

static std::atomic<int> n_gone, sum_gone;

static void gone(void *what)
{
  sum_gone += *(const char *)what;
  n_gone++;
}

// Nobody promises when the function is called; after half a minute it is late.
static void wait_for(int n)
{
  for (int i = 0; i < 30000 && n_gone < n; i++)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  printf("%d gone\n", n_gone.load());
}

static void user_objects()
{
  cudaUserObject_t a, b;
  cudaGraph_t graph, clone;
  cudaGraphExec_t exec;
  say("no flag", cudaUserObjectCreate(&a, (void *)"x", gone, 1, 0));
  say("create a", cudaUserObjectCreate(&a, (void *)"a", gone, 1,
                                       cudaUserObjectNoDestructorSync));
  say("create b", cudaUserObjectCreate(&b, (void *)"b", gone, 2,
                                       cudaUserObjectNoDestructorSync));
  cudaGraphCreate(&graph, 0);
  say("move a",
      cudaGraphRetainUserObject(graph, a, 1, cudaGraphUserObjectMove));
  say("retain b", cudaGraphRetainUserObject(graph, b, 1, 0));
  say("release b", cudaUserObjectRelease(b, 2));
  cudaGraphNode_t node;
  cudaGraphAddEmptyNode(&node, graph, nullptr, 0);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphClone(&clone, graph);
  say("give b back", cudaGraphReleaseUserObject(graph, b, 1));
  say("again", cudaGraphReleaseUserObject(graph, b, 1));
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  cudaGraphDestroy(graph);
  cudaGraphDestroy(clone);
  printf("%d gone before\n", n_gone.load());
  cudaGraphExecDestroy(exec);
  cudaDeviceSynchronize();
  wait_for(2);
  printf("%d\n", sum_gone == 'a' + 'b');
  cudaUserObjectCreate(&a, (void *)"c", gone, 3,
                       cudaUserObjectNoDestructorSync);
  say("retain", cudaUserObjectRetain(a, 2));
  say("release", cudaUserObjectRelease(a, 4));
  printf("%d gone before\n", n_gone.load());
  say("release", cudaUserObjectRelease(a, 1));
  wait_for(3);
}

static void captures(bool join)
{
  int *sum;
  cudaMallocManaged(&sum, 4);
  *sum = 0;
  cudaStream_t first, second;
  cudaEvent_t fork, back;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEventCreate(&fork);
  cudaEventCreate(&back);
  cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, first);
  cudaStreamWaitEvent(second, fork);
  add<<<1, 1, 0, second>>>(sum, 1);
  cudaEventRecord(back, second);
  say("destroy the second stream", cudaStreamDestroy(second));
  if (join)
    say("wait", cudaStreamWaitEvent(first, back));
  add<<<1, 1, 0, first>>>(sum, 2);
  say("end", cudaStreamEndCapture(first, &graph));
  if (graph != nullptr) {
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, first);
    cudaStreamSynchronize(first);
  }
  printf("sum %d\n", *sum);
}

int main()
{
  attributes();
  user_objects();
  captures(true);
  captures(false);
}
