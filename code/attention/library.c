/* How fast are the attention kernels of the libraries? PyTorch calls them:
 * cuDNN's, FlashAttention-2, and two matrix products with a softmax between
 * them. This program hands the Python below to python3, so that the times are
 * taken like all others here.
 *
 *   cc -I code code/attention/library.c -o library && ./library --csv=ladder */
#define _POSIX_C_SOURCE 200809L
#include "common/options.h"

/* As common/timing.h and attention.h do it: events around a call, after a rest
 * and three calls that warm up, L2 emptied before each; in rounds of random
 * order. All problems have equally many numbers and share them. */
static const char script[] =
    "import itertools, random, statistics, sys, time\n"
    "import torch\n"
    "from torch.nn.attention import SDPBackend, sdpa_kernel\n"
    "from torch.nn.functional import scaled_dot_product_attention\n"
    "sizes, repetitions = sys.argv[1], int(sys.argv[2])\n"
    "flush = torch.zeros(torch.cuda.get_device_properties(0).L2_cache_size,\n"
    "                    dtype=torch.float32, device='cuda')\n"
    "backends = {'cudnn': SDPBackend.CUDNN_ATTENTION,\n"
    "            'flash_2': SDPBackend.FLASH_ATTENTION}\n"
    "if sizes == 'ladder':\n"
    "    backends['matmuls'] = SDPBackend.MATH\n"
    "def call_time_us(call):\n"
    "    time.sleep(0.05)\n"
    "    for i in range(4):\n"
    "        flush.sum()\n"
    "        start, stop = (torch.cuda.Event(enable_timing=True)\n"
    "                       for _ in range(2))\n"
    "        start.record()\n"
    "        call()\n"
    "        stop.record()\n"
    "        torch.cuda.synchronize()\n"
    "    return 1000 * start.elapsed_time(stop)\n"
    "version = torch.backends.cudnn.version()\n"
    "print('version,d,n,n_heads,causal,repetitions,time_us,time_spread_us,'\n"
    "      'tflop_per_s,cudnn_version,torch_version')\n"
    "torch.manual_seed(1)\n"
    "random.seed(1)\n"
    "arrays = [torch.randn(16384 * 2048, device='cuda', dtype=torch.bfloat16)\n"
    "          for _ in range(3)]\n"
    "def measure(name, d, n, causal):\n"
    "    q, k, v = (x.view(16384 // n, 2048 // d, n, d) for x in arrays)\n"
    "    with sdpa_kernel(backends[name]):\n"
    "        time_us = call_time_us(lambda: scaled_dot_product_attention(\n"
    "            q, k, v, is_causal=causal))\n"
    "    if name == 'matmuls':\n"
    "        torch.cuda.empty_cache()\n"
    "    return time_us\n"
    "for d, causal in itertools.product(\n"
    "        (128,) if sizes == 'ladder' else (64, 128), (False, True)):\n"
    "    samples = {(name, d, n, causal): []\n"
    "               for n in ((16384,) if sizes == 'ladder' else\n"
    "                         (1024, 2048, 4096, 8192, 16384))\n"
    "               for name in backends}\n"
    "    order = list(samples)\n"
    "    for _ in range(repetitions):\n"
    "        random.shuffle(order)\n"
    "        for case in order:\n"
    "            samples[case].append(measure(*case))\n"
    "    for (name, d, n, causal), times in samples.items():\n"
    "        low, time_us, high = statistics.quantiles(times, n=4,\n"
    "                                                  method='inclusive')\n"
    "        heads = 2048 // d * (16384 // n)\n"
    "        flop = 4 * n * n * d * heads / (1 + causal)\n"
    "        print(f'{name},{d},{n},{heads},{int(causal)},'\n"
    "              f'{repetitions},{time_us:.3f},{high - low:.3f},'\n"
    "              f'{flop / time_us * 1e-6:.1f},{version},'\n"
    "              f'{torch.__version__.split(\"+\")[0]}', flush=True)\n";

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
