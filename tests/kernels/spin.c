// Takes a while, and then adds 1.
#include <oarlock/kernel.h>

OARLOCK_KERNEL void spin(int *counter, int64_t rounds) {
  for (volatile int64_t i = 0; i < rounds; i++) {
  }
  __atomic_fetch_add(counter, 1, __ATOMIC_SEQ_CST);
}

// Adds 1 to what the item before it in the queue left, without any atomic: order is all that makes it right.
OARLOCK_KERNEL void step(int *cell, int from) {
  for (volatile int i = 0; i < 1000; i++) {
  }
  if (*cell == from)
    *cell = from + 1;
}
