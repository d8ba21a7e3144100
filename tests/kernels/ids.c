// What every work-item sees of the launch: ten numbers for each, at its linear place; the last counts its runs.
#include <oarlock/kernel.h>

OARLOCK_KERNEL void ids(int *out) {
  uint64_t x = oarlock_global_id(0), y = oarlock_global_id(1), z = oarlock_global_id(2);
  uint64_t at = (z * oarlock_global_size(1) + y) * oarlock_global_size(0) + x;
  int *mine = out + at * 10;
  for (uint32_t d = 0; d < 3; d++) {
    mine[d] = (int)oarlock_local_id(d);
    mine[3 + d] = (int)oarlock_group_id(d);
    mine[6 + d] = (int)oarlock_group_size(d);
  }
  mine[9] += 1;
}

// No argument at all: counts the items in a global.
int items;

OARLOCK_KERNEL void count(void) { __atomic_fetch_add(&items, 1, __ATOMIC_RELAXED); }
