/* Weights are whole 256ths that add up to 1; texels are blended in doubles. */
#include "filter.h"

#include "texel.h"

/* `part` 256ths of `weight`, rounded half up. */
static unsigned share(unsigned weight, unsigned part)
{
  return (weight * part + WHOLE / 2) / WHOLE;
}

void filter_weights(const struct taps *x, const struct taps *y,
                    const struct taps *z, unsigned weights[8])
{
  for (unsigned k = 0; k < 2; k++) {
    unsigned slice = k == 0 ? WHOLE - z->weight : z->weight;
    unsigned right = share(slice, x->weight);

    weights[4 * k + 2] = share(slice - right, y->weight);
    weights[4 * k + 3] = share(right, y->weight);
    weights[4 * k + 0] = slice - right - weights[4 * k + 2];
    weights[4 * k + 1] = right - weights[4 * k + 3];
  }
}

/* A weight of 0 keeps even an infinity out. */
void blend_add(struct blend *blend, const uint32_t texel[4], unsigned weight)
{
  if (weight == 0)
    return;
  for (unsigned c = 0; c < 4; c++)
    blend->sum[c] += (double)bits_float(texel[c]) * weight;
}

void blend_result(const struct blend *blend, const struct descriptor *texture,
                  uint32_t out[4])
{
  for (unsigned c = 0; c < 4; c++)
    out[c] = texel_filtered(&texture->image, &texture->sampler, c,
                            blend->sum[c] / WHOLE);
}
