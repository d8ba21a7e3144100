// The sum of each group's numbers, by halving, with a barrier at every step.
#include <oarlock/kernel.h>

static OARLOCK_GROUP int partial[256];

// For groups of 256 items.
OARLOCK_KERNEL void reduce(const int *in, int *out) {
  uint32_t item = oarlock_local_id(0);
  partial[item] = in[oarlock_global_id(0)];
  for (uint32_t half = 128; half > 0; half /= 2) {
    oarlock_barrier();
    if (item < half)
      partial[item] += partial[item + half];
  }
  if (item == 0)
    out[oarlock_group_id(0)] = partial[0];
}

// For any group size that is a power of two, in dynamic group memory: one int for each item.
OARLOCK_KERNEL void reduce_dynamic(const int *in, int *out) {
  int *sums = oarlock_group_memory();
  uint32_t item = oarlock_local_id(0);
  sums[item] = in[oarlock_global_id(0)];
  for (uint32_t half = oarlock_group_size(0) / 2; half > 0; half /= 2) {
    oarlock_barrier();
    if (item < half)
      sums[item] += sums[item + half];
  }
  if (item == 0)
    out[oarlock_group_id(0)] = sums[0];
}
