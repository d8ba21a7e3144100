// One kernel for each way to take an argument; each stores what it got, byte for byte.
#include <oarlock/kernel.h>
#include <stdbool.h>

struct small { int a, b; };
struct large { char tag; double x; short s[5]; long long n; };

#define STORE(NAME, TYPE) OARLOCK_KERNEL void NAME(TYPE *out, TYPE v) { *out = v; }
STORE(take_i8, int8_t)
STORE(take_u8, uint8_t)
STORE(take_i16, int16_t)
STORE(take_u16, uint16_t)
STORE(take_i32, int32_t)
STORE(take_u32, uint32_t)
STORE(take_i64, int64_t)
STORE(take_u64, uint64_t)
STORE(take_i128, __int128)
STORE(take_f16, _Float16)
STORE(take_f32, float)
STORE(take_f64, double)
STORE(take_bool, bool)
STORE(take_ptr, void *)
STORE(take_large, struct large)

typedef float float4 __attribute__((vector_size(16)));
STORE(take_float4, float4)

// Widths that need padding between them, and enough of them to fill more than one cache line.
OARLOCK_KERNEL void take_many(double *out, uint8_t a, uint16_t b, uint8_t c, uint32_t d, uint8_t e, uint64_t f,
                              uint8_t g, float h, uint8_t i, double j, uint8_t k, __int128 l, uint8_t m) {
  double all[] = {a, b, c, d, e, (double)f, g, h, i, j, k, (double)l, m};
  for (int n = 0; n < 13; n++)
    out[n] = all[n];
}
