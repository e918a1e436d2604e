# The software device's counts of an experiment, as text: of each kernel the
# launches added up, without counters that are 0. For ./course count,
# where there is no GPU's count to set beside them. `name`: slug/experiment.

BEGIN { FS = "," }

/^#/ { next }

!n_columns {
  n_columns = NF
  for (i = 1; i <= NF; i++) {
    column[i] = $i
    at[$i] = i
  }
  first = at["block_z"] ? at["block_z"] + 1 : at["launch"] + 1
  next
}

{
  kernel = $at["kernel"]
  if (!launches[kernel]++)
    kernels[++n_kernels] = kernel
  for (i = first; i <= NF; i++)
    sum[kernel, i] += $i
}

END {
  printf "\n%s\n", name
  for (k = 1; k <= n_kernels; k++) {
    kernel = kernels[k]
    printf "  %s (%d)\n", kernel, launches[kernel]
    for (i = first; i <= n_columns; i++)
      if (sum[kernel, i])
        printf "    %-30s %14.0f\n", column[i], sum[kernel, i]
  }
}
