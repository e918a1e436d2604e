# Writes a kernel for each function of the table that `arch` has.
function type(t) {
  if (t ~ /^(unsigned|signed|long|short)_/)
    gsub(/_/, " ", t)
  return t
}
BEGIN {
  print "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include <cuda_fp8.h>"
}
/^[0-9]/ && $1 <= arch + 0 {
  parameters = ""
  arguments = ""
  for (i = 4; i <= NF; i++) {
    separator = i > 4 ? ", " : ""
    if ($i ~ /\*$/) {
      parameters = parameters separator type($i) "a" i
      arguments = arguments separator "a" i
    } else {
      parameters = parameters separator type($i) " *a" i
      arguments = arguments separator "*a" i
    }
  }
  result = type($2)
  if (result != "void")
    parameters = parameters (parameters == "" ? "" : ", ") result " *r"
  printf "__global__ void k%d_%s(%s)\n{\n  %s%s(%s);\n}\n", ++n, $3,
         parameters, result == "void" ? "" : "*r = ", $3, arguments
}
