/* The kernels as plain C: what the native peer runs, and what every result is checked against. */
#ifndef OARLOCK_PEER_BODIES_H
#define OARLOCK_PEER_BODIES_H

#include "sizes.h"

static inline unsigned mandel_item(int px, int py) {
  float cx = -2.0f + 2.5f * (float)px / (float)MANDEL_SIDE;
  float cy = -1.25f + 2.5f * (float)py / (float)MANDEL_SIDE;
  float x = 0.0f, y = 0.0f;
  unsigned it = 0;
  while (it < MANDEL_LIMIT && x * x + y * y <= 4.0f) {
    float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    it++;
  }
  return it;
}

/* The same tree as in the kernel, over a local array. */
static inline float reduce_group(const float *restrict x) {
  float t[REDUCE_GROUP];
  for (int l = 0; l < REDUCE_GROUP; l++) t[l] = x[l];
  for (int s = REDUCE_GROUP / 2; s > 0; s >>= 1)
    for (int l = 0; l < s; l++) t[l] += t[l + s];
  return t[0];
}

#endif
