#include "portable.h"

KERNEL void saxpy(const float *x, float *y, float a, int n) {
  int i = GID(0) * SIZE(0) + LID(0);
  if (i < n) y[i] = a * x[i] + y[i];
}

KERNEL void ids(u32 *out) {
  u32 gx = GID(0) * SIZE(0) + LID(0), gy = GID(1) * SIZE(1) + LID(1), gz = GID(2) * SIZE(2) + LID(2);
  u32 w = COUNT(0) * SIZE(0), h = COUNT(1) * SIZE(1);
  out[(gz * h + gy) * w + gx] = gx + 1000 * gy + 1000000 * gz;
}

SHARED static float tile[256];
KERNEL void reduce(const float *x, float *out) {
  u32 l = LID(0);
  tile[l] = x[GID(0) * SIZE(0) + l];
  BARRIER();
  for (u32 s = SIZE(0) / 2; s > 0; s >>= 1) {
    if (l < s) tile[l] += tile[l + s];
    BARRIER();
  }
  if (l == 0) out[GID(0)] = tile[0];
}

DYNAMIC u32 dynamic[];
KERNEL void reverse(u32 *x) {
  u32 l = LID(0), n = SIZE(0), base = GID(0) * n;
  dynamic[l] = x[base + l];
  BARRIER();
  x[base + l] = dynamic[n - 1 - l];
}

static void wait_twice(u32 *sum, u32 i) {
  BARRIER();
  *sum += (u32)tile[i];
  BARRIER();
}
/* A private array, a loop counter and a sum live across barriers that are in a helper in a loop. */
KERNEL void across(u32 *out, u32 rounds) {
  u32 keep[4], sum = 0, l = LID(0);
  for (u32 i = 0; i < 4; i++) keep[i] = l * 4 + i;
  for (u32 r = 0; r < rounds; r++) {
    tile[l] = (float)(l + r);
    wait_twice(&sum, (l + 1) % SIZE(0));
    keep[r % 4] += sum;
  }
  u32 all = sum;
  for (u32 i = 0; i < 4; i++) all = all * 31 + keep[i];
  out[GID(0) * SIZE(0) + l] = all;
}

/* Some items leave before the barrier. */
KERNEL void leave(u32 *out, u32 n) {
  u32 l = LID(0), i = GID(0) * SIZE(0) + l;
  tile[l] = 1.0f;
  if (i >= n) return;
  BARRIER();
  out[i] = (u32)tile[l] + i;
}

typedef struct { double a; int b[6]; char c; } big;
KERNEL void by_value(big s, u32 *out, signed char i8, short i16, int i32, long long i64, float f, double d) {
  if (LID(0) == 0 && GID(0) == 0) {
    s.b[0] += 1; /* each item owns its copy */
    out[0] = (u32)s.a; out[1] = (u32)s.b[0]; out[2] = (u32)s.b[5]; out[3] = (u32)s.c;
    out[4] = (u32)i8; out[5] = (u32)i16; out[6] = (u32)i32; out[7] = (u32)i64;
    out[8] = (u32)f; out[9] = (u32)d;
  }
}

u32 counter = 40;
const u32 offset = 2;
KERNEL void global(u32 *out) {
  if (LID(0) == 0) { counter += offset; out[0] = counter; }
}

KERNEL void count(u32 *hist) {
  __atomic_fetch_add(&hist[LID(0) % 4], 1, __ATOMIC_RELAXED);
}

/* Items leave the loop at different times. */
KERNEL void escape(u32 *out, int w, int h, u32 limit) {
  int px = GID(0) * SIZE(0) + LID(0), py = GID(1) * SIZE(1) + LID(1);
  if (px >= w || py >= h) return;
  float cx = -2.0f + 2.5f * (float)px / (float)w, cy = -1.25f + 2.5f * (float)py / (float)h;
  float x = 0.0f, y = 0.0f;
  u32 it = 0;
  while (it < limit && x * x + y * y <= 4.0f) {
    float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    it++;
  }
  out[py * w + px] = it;
}

/* All items go round together, but for those that have left. */
KERNEL void matmul(const float *a, const float *b, float *c, int n) {
  int col = GID(0) * SIZE(0) + LID(0), row = GID(1) * SIZE(1) + LID(1);
  if (col >= n || row >= n) return;
  float acc = 0.0f;
  for (int k = 0; k < n; k++) acc += a[row * n + k] * b[k * n + col];
  c[row * n + col] = acc;
}

KERNEL void nothing(void) {}
