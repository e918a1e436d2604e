/* References of graphs to user objects. With graph_lock held, but for
 * user_objects_bury. */
#ifndef DEVICE_CORE_GRAPH_USER_OBJECT_H
#define DEVICE_CORE_GRAPH_USER_OBJECT_H

#include "graph.h"

struct user_reference {
  struct user_object *object;
  unsigned long long n; /* at least 1 */
  struct user_reference *next;
};

void user_references_copy(struct graph *to, const struct graph *from);
void user_references_free(struct graph *graph);

/* Takes those whose last reference is gone; bury calls their functions. */
struct user_object *user_objects_dead(void);
void user_objects_bury(struct user_object *list);

#endif
