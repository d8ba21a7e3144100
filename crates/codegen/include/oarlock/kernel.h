/* Kernels for Oarlock's native dialect, in C11 or C++17.
 *
 * A kernel is a function that returns void. Mark kernels with OARLOCK_KERNEL; in a module where nothing
 * is marked, every externally visible function that returns void is a kernel. Compile to bitcode:
 *
 *     clang -O2 -Xclang -disable-llvm-passes -emit-llvm -c -I... saxpy.c -o saxpy.bc
 *
 * and hand the bytes to the runtime, which optimises for the machine that it runs on.
 *
 *     #include <oarlock/kernel.h>
 *
 *     OARLOCK_KERNEL void saxpy(const float *x, float *y, float a, uint64_t n) {
 *         uint64_t i = oarlock_global_id(0);
 *         if (i < n) y[i] = a * x[i] + y[i];
 *     }
 *
 * Dimensions are 0, 1, 2 for x, y, z. Beyond 2 an id is 0 and a count is 1.
 *
 * A structure of up to 16 bytes passed by value arrives as the platform's C convention splits it, so its
 * parts count as parameters of their own; larger ones are one parameter.
 */
#ifndef OARLOCK_KERNEL_H
#define OARLOCK_KERNEL_H

#ifdef __cplusplus
#include <cstdint>
#else
#include <stdint.h>
#endif

#ifdef __cplusplus
#define OARLOCK_KERNEL extern "C" __attribute__((section("oarlock.kernel"), visibility("default"), used))
extern "C" {
#else
#define OARLOCK_KERNEL __attribute__((section("oarlock.kernel"), visibility("default"), used))
#endif

/* A variable that the work-items of one group share, for example
 *     static OARLOCK_GROUP float tile[256];
 * Its contents are unspecified when a group starts; it takes no initialiser. */
#define OARLOCK_GROUP __attribute__((address_space(3)))

/* The position of this work-item in its group. */
uint32_t oarlock_local_id(uint32_t dimension);
/* The position of this group in the grid. */
uint32_t oarlock_group_id(uint32_t dimension);
/* Work-items per group. */
uint32_t oarlock_group_size(uint32_t dimension);
/* Groups in the grid. */
uint32_t oarlock_group_count(uint32_t dimension);
/* oarlock_group_id * oarlock_group_size + oarlock_local_id, in 64 bits. */
uint64_t oarlock_global_id(uint32_t dimension);
/* oarlock_group_count * oarlock_group_size, in 64 bits. */
uint64_t oarlock_global_size(uint32_t dimension);

/* Every work-item of the group arrives before any goes on; what they wrote before is seen after. */
__attribute__((convergent)) void oarlock_barrier(void);

/* The first byte of the launch's dynamic group memory, aligned to 128 bytes. */
void *oarlock_group_memory(void);

#ifdef __cplusplus
}
#endif

#endif
