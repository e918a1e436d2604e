/* A graph's nodes. Descriptions that both APIs have alike are handed on; a
 * copy's and a kernel's are put into the runtime API's words. */
#include "copy_box.h"
#include "driver.h"

#define NEW_NODE                                                               \
  CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n_before
#define ADD node, graph, before, n_before

/* ---- kernels ------------------------------------------------------------- */

static CUresult kernel_of(const CUDA_KERNEL_NODE_PARAMS *from,
                          struct cudaKernelNodeParams *to)
{
  if (from == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *to = from->launch;
  if (to->func == NULL)
    to->func = from->kernel;
  return registry_function(to->func) == NULL ? CUDA_ERROR_INVALID_HANDLE
                                             : CUDA_SUCCESS;
}

static CUresult add_kernel(NEW_NODE, const CUDA_KERNEL_NODE_PARAMS *kernel)
{
  struct cudaKernelNodeParams launch;
  CUresult status = kernel_of(kernel, &launch);
  return status != CUDA_SUCCESS
             ? status
             : status_of(core_graph_add_kernel_node(ADD, &launch));
}

API CUresult cuGraphAddKernelNode_v2(NEW_NODE,
                                     const CUDA_KERNEL_NODE_PARAMS *kernel)
{
  SERVE_STATUS(add_kernel(ADD, kernel));
}

static CUresult get_kernel(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *kernel)
{
  if (kernel == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  kernel->kernel = NULL;
  kernel->context = NULL;
  return status_of(core_graph_kernel_node_get_params(node, &kernel->launch));
}

API CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node,
                                           CUDA_KERNEL_NODE_PARAMS *kernel)
{
  SERVE_STATUS(get_kernel(node, kernel));
}

/* In the graph, or with `exec` in what was made of it. */
static CUresult set_kernel(CUgraphExec exec, CUgraphNode node,
                           const CUDA_KERNEL_NODE_PARAMS *kernel)
{
  struct cudaKernelNodeParams launch;
  CUresult status = kernel_of(kernel, &launch);
  if (status != CUDA_SUCCESS)
    return status;
  return status_of(
      exec != NULL ? core_graph_exec_kernel_node_set_params(exec, node, &launch)
                   : core_graph_kernel_node_set_params(node, &launch));
}

API CUresult cuGraphKernelNodeSetParams_v2(
    CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *kernel)
{
  SERVE_STATUS(set_kernel(NULL, node, kernel));
}

API CUresult cuGraphExecKernelNodeSetParams_v2(
    CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *kernel)
{
  SERVE_STATUS(exec == NULL ? CUDA_ERROR_INVALID_VALUE
                            : set_kernel(exec, node, kernel));
}

/* ---- copies and settings ------------------------------------------------- */

static CUresult add_copy(NEW_NODE, const CUDA_MEMCPY3D *copy)
{
  struct cudaMemcpy3DParms parameters;
  CUresult status = copy_parameters(copy, &parameters);
  return status != CUDA_SUCCESS
             ? status
             : status_of(core_graph_add_memcpy_node(ADD, &parameters));
}

API CUresult cuGraphAddMemcpyNode(NEW_NODE, const CUDA_MEMCPY3D *copy,
                                  CUcontext context)
{
  (void)context;
  SERVE_STATUS(add_copy(ADD, copy));
}

static CUresult set_copy(CUgraphExec exec, CUgraphNode node,
                         const CUDA_MEMCPY3D *copy)
{
  struct cudaMemcpy3DParms parameters;
  CUresult status = copy_parameters(copy, &parameters);
  if (status != CUDA_SUCCESS)
    return status;
  return status_of(
      exec != NULL
          ? core_graph_exec_memcpy_node_set_params(exec, node, &parameters)
          : core_graph_memcpy_node_set_params(node, &parameters));
}

API CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node,
                                        const CUDA_MEMCPY3D *copy)
{
  SERVE_STATUS(set_copy(NULL, node, copy));
}

API CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                            const CUDA_MEMCPY3D *copy,
                                            CUcontext context)
{
  (void)context;
  SERVE_STATUS(exec == NULL ? CUDA_ERROR_INVALID_VALUE
                            : set_copy(exec, node, copy));
}

API CUresult cuGraphAddMemsetNode(NEW_NODE, const struct cudaMemsetParams *set,
                                  CUcontext context)
{
  (void)context;
  SERVE(core_graph_add_memset_node(ADD, set));
}

API CUresult cuGraphMemsetNodeGetParams(CUgraphNode node,
                                        struct cudaMemsetParams *set)
{
  SERVE(core_graph_memset_node_get_params(node, set));
}

API CUresult cuGraphMemsetNodeSetParams(CUgraphNode node,
                                        const struct cudaMemsetParams *set)
{
  SERVE(core_graph_memset_node_set_params(node, set));
}

API CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                            const struct cudaMemsetParams *set,
                                            CUcontext context)
{
  (void)context;
  SERVE(core_graph_exec_memset_node_set_params(exec, node, set));
}

/* ---- the others ---------------------------------------------------------- */

API CUresult cuGraphAddHostNode(NEW_NODE, const struct cudaHostNodeParams *host)
{
  SERVE(core_graph_add_host_node(ADD, host));
}

API CUresult cuGraphHostNodeGetParams(CUgraphNode node,
                                      struct cudaHostNodeParams *host)
{
  SERVE(core_graph_host_node_get_params(node, host));
}

API CUresult cuGraphHostNodeSetParams(CUgraphNode node,
                                      const struct cudaHostNodeParams *host)
{
  SERVE(core_graph_host_node_set_params(node, host));
}

API CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                          const struct cudaHostNodeParams *host)
{
  SERVE(core_graph_exec_host_node_set_params(exec, node, host));
}

API CUresult cuGraphAddEmptyNode(NEW_NODE)
{
  SERVE(core_graph_add_empty_node(ADD));
}

API CUresult cuGraphAddChildGraphNode(NEW_NODE, CUgraph child)
{
  SERVE(core_graph_add_child_graph_node(ADD, child));
}

API CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *child)
{
  SERVE(core_graph_child_graph_node_get_graph(node, child));
}

API CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec,
                                                CUgraphNode node, CUgraph child)
{
  SERVE(core_graph_exec_child_graph_node_set_params(exec, node, child));
}

API CUresult cuGraphAddEventRecordNode(NEW_NODE, CUevent event)
{
  SERVE(core_graph_add_event_record_node(ADD, event));
}

API CUresult cuGraphAddEventWaitNode(NEW_NODE, CUevent event)
{
  SERVE(core_graph_add_event_wait_node(ADD, event));
}

API CUresult cuGraphAddMemAllocNode(NEW_NODE,
                                    struct cudaMemAllocNodeParams *allocate)
{
  SERVE(core_graph_add_mem_alloc_node(ADD, allocate));
}

API CUresult cuGraphAddMemFreeNode(NEW_NODE, CUdeviceptr address)
{
  SERVE(core_graph_add_mem_free_node(ADD, pointer_of(address)));
}
