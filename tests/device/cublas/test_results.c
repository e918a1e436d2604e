/* Every call's result, for float and double, with sizes of 32 and 64 bits. */
#include "matrices.h"

#define GLUE_(a, b, c) a##b##c
#define GLUE(a, b, c) GLUE_(a, b, c)
#define BEHAVIOUR_OF(name) BEHAVIOUR(name)
#define EACH(name) BEHAVIOUR_OF(GLUE(KIND, _, name))
#define LOCAL(name) GLUE(KIND, _local_, name)
#define CALL(name) GLUE(BIG, name, END)
#define PLAIN(name) GLUE(BIG, name, END)
#define INDEX(name) GLUE(SMALL, name, END)
#define ANY(name) GLUE(cublas, name, END)

#define REAL float
#define BIG cublasS
#define SMALL cublasIs
#define KIND float
#define END
#define SIZE int
#include "results.h"
#undef KIND
#undef END
#undef SIZE

#define KIND float_64
#define END _64
#define SIZE int64_t
#include "results.h"
#undef KIND
#undef END
#undef SIZE
#undef REAL
#undef BIG
#undef SMALL

#define REAL double
#define BIG cublasD
#define SMALL cublasId
#define KIND double
#define END
#define SIZE int
#include "results.h"
#undef KIND
#undef END
#undef SIZE

#define KIND double_64
#define END _64
#define SIZE int64_t
#include "results.h"
