/* Graphs as wholes: made, looked at, run. They are the runtime API's. */
#include "driver.h"

/* ---- made ---------------------------------------------------------------- */

API CUresult cuGraphCreate(CUgraph *graph, unsigned flags)
{
  SERVE(core_graph_create(graph, flags));
}

API CUresult cuGraphDestroy(CUgraph graph) { SERVE(core_graph_destroy(graph)); }

API CUresult cuGraphClone(CUgraph *clone, CUgraph graph)
{
  SERVE(core_graph_clone(clone, graph));
}

API CUresult cuGraphDestroyNode(CUgraphNode node)
{
  SERVE(core_graph_destroy_node(node));
}

API CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from,
                                       const CUgraphNode *to,
                                       const cudaGraphEdgeData *data, size_t n)
{
  SERVE(core_graph_add_dependencies(graph, from, to, data, n));
}

API CUresult cuGraphRemoveDependencies_v2(CUgraph graph,
                                          const CUgraphNode *from,
                                          const CUgraphNode *to,
                                          const cudaGraphEdgeData *data,
                                          size_t n)
{
  SERVE(core_graph_remove_dependencies(graph, from, to, data, n));
}

/* Programs that were built before CUDA 13 know edges without data. */
API CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from,
                                    const CUgraphNode *to, size_t n)
{
  SERVE(core_graph_add_dependencies(graph, from, to, NULL, n));
}

API CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from,
                                       const CUgraphNode *to, size_t n)
{
  SERVE(core_graph_remove_dependencies(graph, from, to, NULL, n));
}

API CUresult cuGraphConditionalHandleCreate(unsigned long long *handle,
                                            CUgraph graph, CUcontext context,
                                            unsigned value, unsigned flags)
{
  (void)context;
  SERVE(core_graph_conditional_handle_create(handle, graph, value, flags));
}

/* ---- looked at ----------------------------------------------------------- */

API CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *n)
{
  SERVE(core_graph_get_nodes(graph, nodes, n));
}

API CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *n)
{
  SERVE(core_graph_get_root_nodes(graph, nodes, n));
}

API CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from,
                                CUgraphNode *to, cudaGraphEdgeData *data,
                                size_t *n)
{
  SERVE(core_graph_get_edges(graph, from, to, data, n));
}

API CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                             size_t *n)
{
  SERVE(core_graph_get_edges(graph, from, to, NULL, n));
}

API CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node,
                                           CUgraphNode *before,
                                           cudaGraphEdgeData *data, size_t *n)
{
  SERVE(core_graph_node_get_dependencies(node, before, data, n));
}

API CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node,
                                             CUgraphNode *after,
                                             cudaGraphEdgeData *data, size_t *n)
{
  SERVE(core_graph_node_get_dependent_nodes(node, after, data, n));
}

API CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *before,
                                        size_t *n)
{
  SERVE(core_graph_node_get_dependencies(node, before, NULL, n));
}

API CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *after,
                                          size_t *n)
{
  SERVE(core_graph_node_get_dependent_nodes(node, after, NULL, n));
}

/* Kinds of nodes have the same numbers. */
API CUresult cuGraphNodeGetType(CUgraphNode node, enum cudaGraphNodeType *type)
{
  SERVE(core_graph_node_get_type(node, type));
}

API CUresult cuGraphNodeFindInClone(CUgraphNode *node, CUgraphNode original,
                                    CUgraph clone)
{
  SERVE(core_graph_node_find_in_clone(node, original, clone));
}

API CUresult cuGraphDebugDotPrint(CUgraph graph, const char *path,
                                  unsigned flags)
{
  SERVE(core_graph_debug_dot_print(graph, path, flags));
}

/* ---- run ----------------------------------------------------------------- */

API CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph,
                                         unsigned long long flags)
{
  SERVE(core_graph_instantiate_with_flags(exec, graph, flags));
}

API CUresult cuGraphInstantiateWithParams(
    CUgraphExec *exec, CUgraph graph, cudaGraphInstantiateParams *parameters)
{
  SERVE(core_graph_instantiate_with_params(exec, graph, parameters));
}

API CUresult cuGraphExecDestroy(CUgraphExec exec)
{
  SERVE(core_graph_exec_destroy(exec));
}

API CUresult cuGraphExecGetFlags(CUgraphExec exec, unsigned long long *flags)
{
  SERVE(core_graph_exec_get_flags(exec, flags));
}

API CUresult cuGraphUpload(CUgraphExec exec, CUstream stream)
{
  SERVE(core_graph_upload(exec, stream));
}

API CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
  SERVE(core_graph_launch(exec, stream));
}

API CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph,
                                  cudaGraphExecUpdateResultInfo *info)
{
  SERVE(core_graph_exec_update(exec, graph, info));
}

API CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node,
                                   unsigned enabled)
{
  SERVE(core_graph_node_set_enabled(exec, node, enabled));
}

API CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node,
                                   unsigned *enabled)
{
  SERVE(core_graph_node_get_enabled(exec, node, enabled));
}

PER_THREAD(cuGraphInstantiateWithParams, cuGraphInstantiateWithParams_ptsz);
PER_THREAD(cuGraphUpload, cuGraphUpload_ptsz);
PER_THREAD(cuGraphLaunch, cuGraphLaunch_ptsz);
