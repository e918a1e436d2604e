/* How fast are the attention kernels of the libraries? PyTorch calls them:
 * cuDNN's, FlashAttention-2, and two matrix products with a softmax between
 * them. This program hands the Python below to python3, so that the times are
 * taken like all others here.
 *
 *   cc -I code code/attention/library.c -o library && ./library --csv=ladder */
#define _POSIX_C_SOURCE 200809L
#include "common/options.h"

/* Medians of events around each call, L2 emptied before it, warmed up three
 * times: common/timing.h in Python. */
static const char script[] =
    "import statistics, sys\n"
    "import torch\n"
    "from torch.nn.attention import SDPBackend, sdpa_kernel\n"
    "from torch.nn.functional import scaled_dot_product_attention\n"
    "sizes, repetitions = sys.argv[1], int(sys.argv[2])\n"
    "flush = torch.zeros(torch.cuda.get_device_properties(0).L2_cache_size,\n"
    "                    dtype=torch.float32, device='cuda')\n"
    "backends = {'cudnn': SDPBackend.CUDNN_ATTENTION,\n"
    "            'flash_2': SDPBackend.FLASH_ATTENTION,\n"
    "            'matmuls': SDPBackend.MATH}\n"
    "def measure(call):\n"
    "    samples = []\n"
    "    for i in range(3 + repetitions):\n"
    "        flush.sum()\n"
    "        start, stop = (torch.cuda.Event(enable_timing=True)\n"
    "                       for _ in range(2))\n"
    "        start.record()\n"
    "        call()\n"
    "        stop.record()\n"
    "        torch.cuda.synchronize()\n"
    "        if i >= 3:\n"
    "            samples.append(1000 * start.elapsed_time(stop))\n"
    "    quarters = statistics.quantiles(samples, n=4, method='inclusive')\n"
    "    return quarters[1], quarters[2] - quarters[0]\n"
    "version = torch.backends.cudnn.version()\n"
    "print('version,d,n,n_heads,causal,repetitions,time_us,time_spread_us,'\n"
    "      'tflop_per_s,cudnn_version,torch_version')\n"
    "torch.manual_seed(1)\n"
    "for d in (128,) if sizes == 'ladder' else (64, 128):\n"
    "    for n in (16384,) if sizes == 'ladder' else (\n"
    "            1024, 2048, 4096, 8192, 16384):\n"
    "        heads, batch = 2048 // d, 16384 // n\n"
    "        q, k, v = (torch.randn(batch, heads, n, d, device='cuda',\n"
    "                               dtype=torch.bfloat16) for _ in range(3))\n"
    "        for causal in (False, True):\n"
    "            for name, backend in backends.items():\n"
    "                if name == 'matmuls' and sizes != 'ladder':\n"
    "                    continue\n"
    "                with sdpa_kernel(backend):\n"
    "                    time_us, spread = measure(\n"
    "                        lambda: scaled_dot_product_attention(\n"
    "                            q, k, v, is_causal=causal))\n"
    "                torch.cuda.empty_cache()\n"
    "                flop = 4 * n * n * d * heads * batch / (1 + causal)\n"
    "                print(f'{name},{d},{n},{heads * batch},{int(causal)},'\n"
    "                      f'{repetitions},{time_us:.3f},{spread:.3f},'\n"
    "                      f'{flop / time_us * 1e-6:.1f},{version},'\n"
    "                      f'{torch.__version__.split(\"+\")[0]}',\n"
    "                      flush=True)\n";

/* Is there a PyTorch that can use a GPU here? */
static int torch_is_here(void)
{
  return system("python3 -c 'import torch, sys; "
                "sys.exit(not torch.cuda.is_available())' "
                ">/dev/null 2>&1") == 0;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "attention by PyTorch's libraries",
                            "ladder,sizes", "");
  if (!torch_is_here()) {
    printf("needs PyTorch and a GPU that it can use\n");
    return EXIT_SKIPPED;
  }
  if (o.check)
    return EXIT_SUCCESS;
  char repetitions[16];
  snprintf(repetitions, sizeof repetitions, "%d", o.repetitions);
  execlp("python3", "python3", "-c", script, o.csv ? o.csv : "ladder",
         repetitions, (char *)NULL);
  fprintf(stderr, "%s: error: python3 cannot be started\n", o.program);
  return EXIT_FAILURE;
}
