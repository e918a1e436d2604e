#include "check/demangle.h"
#include "test.h"

static char name[256];

static const char *of(const char *mangled)
{
  demangle(mangled, name, sizeof name);
  return name;
}

BEHAVIOUR(plain_function) { CHECK_TEXT(of("_Z5hellov"), "hello"); }

BEHAVIOUR(c_name_stays) { CHECK_TEXT(of("hello"), "hello"); }

BEHAVIOUR(static_function) { CHECK_TEXT(of("_ZL5helloPf"), "hello"); }

BEHAVIOUR(qualified_name)
{
  CHECK_TEXT(of("_ZN5outer5inner3addEPfi"), "outer::inner::add");
}

BEHAVIOUR(template_of_builtin_types)
{
  CHECK_TEXT(of("_Z3addIfEvPT_i"), "add<float>");
  CHECK_TEXT(of("_Z3addIfjEvPT_i"), "add<float;unsigned int>");
}

BEHAVIOUR(template_of_integers)
{
  CHECK_TEXT(of("_Z3addIfLi32EEvPT_i"), "add<float;32>");
  CHECK_TEXT(of("_Z3addILin5ELb1EEvv"), "add<-5;true>");
}

BEHAVIOUR(template_of_pointers)
{
  CHECK_TEXT(of("_Z3addIPKfRiEvv"), "add<float const*;int&>");
}

BEHAVIOUR(template_of_classes)
{
  CHECK_TEXT(of("_Z6reduceI6float4N3ops3SumEEvv"), "reduce<float4;ops::Sum>");
  CHECK_TEXT(of("_Z3runI4pairIiiEEvv"), "run<pair<int;int>>");
}

BEHAVIOUR(member_template)
{
  CHECK_TEXT(of("_ZN4math5scaleIdEEvPT_"), "math::scale<double>");
}

BEHAVIOUR(substitution)
{
  CHECK_TEXT(of("_ZN2ns3runINS_3OpAENS_3OpBEEEvv"), "ns::run<ns::OpA;ns::OpB>");
  CHECK_TEXT(of("_Z3runIPfS0_Evv"), "run<float*;float*>");
}

BEHAVIOUR(anonymous_namespace)
{
  CHECK_TEXT(of("_ZN12_GLOBAL__N_13addEv"), "(anonymous namespace)::add");
}

BEHAVIOUR(what_is_not_understood_stays)
{
  CHECK_TEXT(of("_Z99x"), "_Z99x");
  CHECK_TEXT(of("_Z"), "_Z");
  CHECK_TEXT(of("_ZN3add"), "_ZN3add");
}

/* The arguments are not told, but which ones they are still matters. */
BEHAVIOUR(arguments_not_understood_become_a_number)
{
  CHECK_TEXT(of("_Z3addIXadL_Z1fvEEEvv"), "add<…#b8b4>");
  CHECK_TEXT(of("_Z3addIXadL_Z1gvEEEvv"), "add<…#babf>");
  CHECK_TEXT(of("_Z3runIS9_Evv"), "run<…#1760>");
  CHECK_TEXT(of("_ZN3cub17CUB_300001_SM_9006detail9transform16transform_kernel"
                "INS2_10policy_hubILb1EN4cuda3std3__45tupleIJPfEEEEEEEvT_"),
             "cub::detail::transform::transform_kernel<…#8720>");
}

BEHAVIOUR(long_arguments_become_a_number)
{
  CHECK_TEXT(of("_ZN3cub17CUB_300001_SM_9006detail6reduce28DeviceReduceSingle"
                "TileKernelINS2_10policy_hubIfjN4cuda3std3__44plusIvEEE10"
                "Policy1000EPfS9_iS7_EEvT0_"),
             "cub::detail::reduce::DeviceReduceSingleTileKernel<…#4a28>");
}

BEHAVIOUR(versions_in_namespaces_are_left_out)
{
  CHECK_TEXT(of("_ZN3cub17CUB_300001_SM_90011EmptyKernelIvEEvv"),
             "cub::EmptyKernel<void>");
  CHECK_TEXT(of("_Z3runIN4cuda3std3__44plusIvEES4_Evv"),
             "run<cuda::std::plus<void>;cuda::std::plus<void>>");
}

BEHAVIOUR(endless_nesting_stays)
{
  char mangled[600] = "_Z3runI";
  memset(mangled + 7, 'P', 500);
  CHECK_TEXT(of(mangled), of(mangled));
  memset(mangled + 7, 'N', 500);
  of(mangled);
}

/* Names and pointers count alike, so that what is nested in both ends, too. */
BEHAVIOUR(nesting_has_one_limit)
{
  CHECK_TEXT(of("_Z1aI1aI1aI1aIPPPPPPPPPPPPPPPPPPPPPPPPiEEEEvv"),
             "a<a<a<a<int************************>>>>");
  CHECK_TEXT(of("_Z1aI1aI1aI1aIPPPPPPPPPPPPPPPPPPPPPPPPPiEEEEvv"), "a<…#b812>");
}

BEHAVIOUR(long_names_are_cut_by_the_buffer)
{
  char small[4];
  demangle("_Z5hellov", small, sizeof small);
  CHECK_TEXT(small, "hel");
}
