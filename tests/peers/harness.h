/* Clocks, samples, inputs and checks: shared by the peers. */
#ifndef OARLOCK_PEER_HARNESS_H
#define OARLOCK_PEER_HARNESS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bodies.h"

static inline double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
static inline double now(void) { return seconds(CLOCK_MONOTONIC); }
static inline double cpu(void) { return seconds(CLOCK_PROCESS_CPUTIME_ID); }
static inline double threads(void) { return (double)sysconf(_SC_NPROCESSORS_ONLN); }

static inline void sample(const char *metric, const char *unit, double value) {
  printf("S\t%s\t%s\t%.6g\n", metric, unit, value);
}
static inline void check(const char *name, int ok) { printf("CHECK\t%s\t%s\n", name, ok ? "ok" : "WRONG"); }

static inline int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Samples of empty launches in microseconds, in the order in which they were taken. */
static inline void launch_samples(double *us, int n) {
  for (int from = 0; from + 100 <= n; from += 100) {
    double sum = 0;
    for (int i = 0; i < 100; i++) sum += us[from + i];
    sample("empty_launch_sync_mean100", "us", sum / 100);
  }
  qsort(us, (size_t)n, sizeof *us, by_value);
  sample("empty_launch_sync_p50", "us", us[n / 2]);
  sample("empty_launch_sync_p99", "us", us[n * 99 / 100]);
}

/* Runs STATEMENT twice for warmth and REPEAT times for a sample of wall and of CPU time. */
#define TIMED(metric, repeat, statement)                          \
  do {                                                            \
    for (int r_ = -2; r_ < (repeat); r_++) {                      \
      double c_ = cpu(), t_ = now();                              \
      statement;                                                  \
      t_ = now() - t_, c_ = cpu() - c_;                           \
      if (r_ < 0) continue;                                       \
      sample(metric, "ms", t_ * 1e3);                             \
      sample(metric "@cpu/thread", "ms", c_ * 1e3 / threads());   \
    }                                                             \
  } while (0)

static inline void *lend(size_t bytes) {
  void *p = NULL;
  if (posix_memalign(&p, 4096, bytes)) {
    fprintf(stderr, "no memory for %zu bytes\n", bytes);
    exit(2);
  }
  return p;
}

/* The same numbers in [0, 1) in every program. */
static inline void random_floats(float *p, size_t n, unsigned seed) {
  for (size_t i = 0; i < n; i++) {
    seed = seed * 1664525u + 1013904223u;
    p[i] = (float)(seed >> 8) / (float)(1 << 24);
  }
}

static inline int near(float a, float b) { return fabsf(a - b) <= 1e-4f * fmaxf(fabsf(a), fabsf(b)) + 1e-5f; }

/* y began as 1 everywhere and got a*x added `runs` times. */
static inline int saxpy_ok(const float *x, const float *y, int runs) {
  for (int i = 0; i < SAXPY_N; i += 4099)
    if (!near(y[i], 1.0f + (float)runs * SAXPY_A * x[i])) return 0;
  return 1;
}

/* Contraction may move a pixel at the border: the sums over a sparse grid must agree within half a percent. */
static inline int mandel_ok(const unsigned *out) {
  long found = 0, wanted = 0;
  for (int y = 0; y < MANDEL_SIDE; y += 37)
    for (int x = 0; x < MANDEL_SIDE; x += 41) found += out[y * MANDEL_SIDE + x], wanted += mandel_item(x, y);
  return labs(found - wanted) * 200 <= wanted;
}

static inline int reduce_ok(const float *x, const float *partial) {
  for (int g = 0; g < REDUCE_GROUPS; g += 61)
    if (!near(partial[g], reduce_group(x + (size_t)g * REDUCE_GROUP))) return 0;
  return 1;
}

struct options {
  const char *mode, *kernels;
  int launches, repeat;
};

static inline struct options options(int argc, char **argv) {
  struct options o = {argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : "", 3000, 9};
  if (argc > 3 && !strcmp(argv[3], "--quick")) o.launches = 200, o.repeat = 1;
  return o;
}

#endif
