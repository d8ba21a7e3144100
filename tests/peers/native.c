/* C with OpenMP: the floor that the same kernels have without a runtime.
   native launch|kernels|simd KERNELS.cl [--quick] */
#include <omp.h>

#include "harness.h"

/* A parallel region whose two iterations do nothing that the compiler could see through. */
static void fork_join(volatile int *sink) {
#pragma omp parallel for schedule(static)
  for (int j = 0; j < 2; j++)
    if (j == 5) *sink = j;
}

static void launch(struct options o) {
  volatile int sink = 0;
  double *us = lend((size_t)o.launches * sizeof *us);
  for (int i = 0; i < 500; i++) fork_join(&sink);
  for (int i = 0; i < o.launches; i++) {
    double t = now();
    fork_join(&sink);
    us[i] = (now() - t) * 1e6;
  }
  launch_samples(us, o.launches);
  free(us);
}

__attribute__((noinline)) static void saxpy(const float *restrict x, float *restrict y, float a) {
#pragma omp parallel for
  for (int i = 0; i < SAXPY_N; i++) y[i] = a * x[i] + y[i];
}

/* In chunks of 16 rows, taken as threads come free: rows differ in work. */
__attribute__((noinline)) static void mandel(unsigned *out) {
#pragma omp parallel for schedule(dynamic, 16)
  for (int y = 0; y < MANDEL_SIDE; y++)
    for (int x = 0; x < MANDEL_SIDE; x++) out[y * MANDEL_SIDE + x] = mandel_item(x, y);
}

__attribute__((noinline)) static void reduce(const float *x, float *partial) {
#pragma omp parallel for
  for (int g = 0; g < REDUCE_GROUPS; g++) partial[g] = reduce_group(x + (size_t)g * REDUCE_GROUP);
}

static void kernels(struct options o) {
  float *x = lend(SAXPY_N * sizeof *x), *y = lend(SAXPY_N * sizeof *y);
  random_floats(x, SAXPY_N, 1);
  for (int i = 0; i < SAXPY_N; i++) y[i] = 1;
  TIMED("saxpy_16M", o.repeat, saxpy(x, y, SAXPY_A));
  check("saxpy", saxpy_ok(x, y, o.repeat + 2));
  free(y);

  unsigned *out = lend((size_t)MANDEL_SIDE * MANDEL_SIDE * sizeof *out);
  TIMED("mandel_2048", o.repeat, mandel(out));
  check("mandel", mandel_ok(out));
  free(out);

  float *partial = lend(REDUCE_GROUPS * sizeof *partial);
  random_floats(x, REDUCE_N, 4);
  TIMED("reduce_4M_barriers", o.repeat, reduce(x, partial));
  check("reduce", reduce_ok(x, partial));
  free(partial);
  free(x);
}

#define LANES 16
typedef float lanes __attribute__((vector_size(4 * LANES)));
typedef int ilanes __attribute__((vector_size(4 * LANES)));

/* 16 pixels in a vector, each counting while it is live: the floor for a divergent loop. */
__attribute__((noinline)) static void mandel_simd(unsigned *out) {
#pragma omp parallel for schedule(dynamic, 16)
  for (int py = 0; py < MANDEL_SIDE; py++)
    for (int px = 0; px < MANDEL_SIDE; px += LANES) {
      lanes cx, cy, x = {0}, y = {0};
      ilanes count = {0};
      for (int l = 0; l < LANES; l++) {
        cx[l] = -2.0f + 2.5f * (float)(px + l) / (float)MANDEL_SIDE;
        cy[l] = -1.25f + 2.5f * (float)py / (float)MANDEL_SIDE;
      }
      for (int it = 0; it < MANDEL_LIMIT; it++) {
        ilanes live = x * x + y * y <= 4.0f; /* -1 where it holds */
        if (!__builtin_reduce_or(live)) break;
        count -= live;
        lanes t = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = t;
      }
      *(ilanes *)(out + (size_t)py * MANDEL_SIDE + px) = count;
    }
}

static void simd(struct options o) {
  unsigned *out = lend((size_t)MANDEL_SIDE * MANDEL_SIDE * sizeof *out);
  TIMED("mandel_2048", o.repeat, mandel_simd(out));
  check("mandel_simd", mandel_ok(out));
  free(out);
}

int main(int argc, char **argv) {
  struct options o = options(argc, argv);
  if (!strcmp(o.mode, "launch")) return launch(o), 0;
  if (!strcmp(o.mode, "kernels")) return kernels(o), 0;
  if (!strcmp(o.mode, "simd")) return simd(o), 0;
  fprintf(stderr, "usage: native launch|kernels|simd KERNELS.cl [--quick]\n");
  return 2;
}
