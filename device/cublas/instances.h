/* Includes TEMPLATE once for each of float and double, with sizes of 32 and
 * of 64 bits. There, REAL is the type, TYPE its number in numbers.h, INT the
 * type of sizes, and
 *
 *   V2(axpy)    is cublasSaxpy_v2, cublasDaxpy_v2, cublasSaxpy_v2_64 …
 *   PLAIN(geam) is cublasSgeam, …, cublasSgeam_64, …
 *   INDEX(amax) is cublasIsamax_v2, …
 *   CPU(gemm)   is cblas_sgemm or cblas_dgemm
 *   NAME(gemm)  is the text "cublasSgemm"
 */
#define GLUE_(a, b, c) a##b##c
#define GLUE(a, b, c) GLUE_(a, b, c)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

#define V2(name) GLUE(BIG, name, V2_END)
#define PLAIN(name) GLUE(BIG, name, PLAIN_END)
#define INDEX(name) GLUE(SMALL, name, V2_END)
#define CPU(name) GLUE(CBLAS, name, )
#define NAME(name) TEXT(BIG) #name
#define INDEX_NAME(name) TEXT(SMALL) #name

#define REAL float
#define TYPE CUDA_R_32F
#define BIG cublasS
#define SMALL cublasIs
#define CBLAS cblas_s
#define INT int
#define V2_END _v2
#define PLAIN_END
#define LOCAL(name) name##_s
#include TEMPLATE
#undef LOCAL
#undef INT
#undef V2_END
#undef PLAIN_END

#define INT int64_t
#define V2_END _v2_64
#define PLAIN_END _64
#define LOCAL(name) name##_s_64
#include TEMPLATE
#undef LOCAL
#undef INT
#undef V2_END
#undef PLAIN_END
#undef REAL
#undef TYPE
#undef BIG
#undef SMALL
#undef CBLAS

#define REAL double
#define TYPE CUDA_R_64F
#define BIG cublasD
#define SMALL cublasId
#define CBLAS cblas_d
#define INT int
#define V2_END _v2
#define PLAIN_END
#define LOCAL(name) name##_d
#include TEMPLATE
#undef LOCAL
#undef INT
#undef V2_END
#undef PLAIN_END

#define INT int64_t
#define V2_END _v2_64
#define PLAIN_END _64
#define LOCAL(name) name##_d_64
#include TEMPLATE
