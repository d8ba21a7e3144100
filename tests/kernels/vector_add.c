// c[i] = a[i] + b[i]
#include <oarlock/kernel.h>

OARLOCK_KERNEL void vector_add(const int *a, const int *b, int *c) {
  uint64_t i = oarlock_global_id(0);
  c[i] = a[i] + b[i];
}
