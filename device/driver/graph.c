/* Graphs as wholes: made, looked at, run. They are the runtime API's. */
#include "driver.h"

/* ---- made ---------------------------------------------------------------- */

API CUresult cuGraphCreate(CUgraph *graph, unsigned flags)
{
  SERVE(cudaGraphCreate(graph, flags));
}

API CUresult cuGraphDestroy(CUgraph graph) { SERVE(cudaGraphDestroy(graph)); }

API CUresult cuGraphClone(CUgraph *clone, CUgraph graph)
{
  SERVE(cudaGraphClone(clone, graph));
}

API CUresult cuGraphDestroyNode(CUgraphNode node)
{
  SERVE(cudaGraphDestroyNode(node));
}

API CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from,
                                       const CUgraphNode *to,
                                       const cudaGraphEdgeData *data, size_t n)
{
  SERVE(cudaGraphAddDependencies(graph, from, to, data, n));
}

API CUresult cuGraphRemoveDependencies_v2(CUgraph graph,
                                          const CUgraphNode *from,
                                          const CUgraphNode *to,
                                          const cudaGraphEdgeData *data,
                                          size_t n)
{
  SERVE(cudaGraphRemoveDependencies(graph, from, to, data, n));
}

/* Programs that were built before CUDA 13 know edges without data. */
API CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from,
                                    const CUgraphNode *to, size_t n)
{
  SERVE(cudaGraphAddDependencies(graph, from, to, NULL, n));
}

API CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from,
                                       const CUgraphNode *to, size_t n)
{
  SERVE(cudaGraphRemoveDependencies(graph, from, to, NULL, n));
}

API CUresult cuGraphConditionalHandleCreate(unsigned long long *handle,
                                            CUgraph graph, CUcontext context,
                                            unsigned value, unsigned flags)
{
  (void)context;
  SERVE(cudaGraphConditionalHandleCreate(handle, graph, value, flags));
}

/* ---- looked at ----------------------------------------------------------- */

API CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *n)
{
  SERVE(cudaGraphGetNodes(graph, nodes, n));
}

API CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *n)
{
  SERVE(cudaGraphGetRootNodes(graph, nodes, n));
}

API CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from,
                                CUgraphNode *to, cudaGraphEdgeData *data,
                                size_t *n)
{
  SERVE(cudaGraphGetEdges(graph, from, to, data, n));
}

API CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                             size_t *n)
{
  SERVE(cudaGraphGetEdges(graph, from, to, NULL, n));
}

API CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node,
                                           CUgraphNode *before,
                                           cudaGraphEdgeData *data, size_t *n)
{
  SERVE(cudaGraphNodeGetDependencies(node, before, data, n));
}

API CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node,
                                             CUgraphNode *after,
                                             cudaGraphEdgeData *data, size_t *n)
{
  SERVE(cudaGraphNodeGetDependentNodes(node, after, data, n));
}

API CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *before,
                                        size_t *n)
{
  SERVE(cudaGraphNodeGetDependencies(node, before, NULL, n));
}

API CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *after,
                                          size_t *n)
{
  SERVE(cudaGraphNodeGetDependentNodes(node, after, NULL, n));
}

/* Kinds of nodes have the same numbers. */
API CUresult cuGraphNodeGetType(CUgraphNode node, enum cudaGraphNodeType *type)
{
  SERVE(cudaGraphNodeGetType(node, type));
}

API CUresult cuGraphNodeFindInClone(CUgraphNode *node, CUgraphNode original,
                                    CUgraph clone)
{
  SERVE(cudaGraphNodeFindInClone(node, original, clone));
}

API CUresult cuGraphDebugDotPrint(CUgraph graph, const char *path,
                                  unsigned flags)
{
  SERVE(cudaGraphDebugDotPrint(graph, path, flags));
}

/* ---- run ----------------------------------------------------------------- */

API CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph,
                                         unsigned long long flags)
{
  SERVE(cudaGraphInstantiateWithFlags(exec, graph, flags));
}

API CUresult cuGraphInstantiateWithParams(
    CUgraphExec *exec, CUgraph graph, cudaGraphInstantiateParams *parameters)
{
  SERVE(cudaGraphInstantiateWithParams(exec, graph, parameters));
}

API CUresult cuGraphExecDestroy(CUgraphExec exec)
{
  SERVE(cudaGraphExecDestroy(exec));
}

API CUresult cuGraphExecGetFlags(CUgraphExec exec, unsigned long long *flags)
{
  SERVE(cudaGraphExecGetFlags(exec, flags));
}

API CUresult cuGraphUpload(CUgraphExec exec, CUstream stream)
{
  SERVE(cudaGraphUpload(exec, stream));
}

API CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
  SERVE(cudaGraphLaunch(exec, stream));
}

API CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph,
                                  cudaGraphExecUpdateResultInfo *info)
{
  SERVE(cudaGraphExecUpdate(exec, graph, info));
}

API CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node,
                                   unsigned enabled)
{
  SERVE(cudaGraphNodeSetEnabled(exec, node, enabled));
}

API CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node,
                                   unsigned *enabled)
{
  SERVE(cudaGraphNodeGetEnabled(exec, node, enabled));
}

PER_THREAD(cuGraphInstantiateWithParams, cuGraphInstantiateWithParams_ptsz);
PER_THREAD(cuGraphUpload, cuGraphUpload_ptsz);
PER_THREAD(cuGraphLaunch, cuGraphLaunch_ptsz);
