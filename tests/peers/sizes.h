/* The exact sizes that every peer and oarlock-bench run. */
#ifndef OARLOCK_PEER_SIZES_H
#define OARLOCK_PEER_SIZES_H

#define SAXPY_N (1 << 24) /* floats; y[i] = a*x[i] + y[i]: 192 MiB of traffic */
#define SAXPY_A 2.0f
#define SAXPY_GROUP 256

#define MANDEL_SIDE 2048 /* pixels; x in [-2.0, 0.5), y in [-1.25, 1.25) */
#define MANDEL_LIMIT 256 /* iterations */
#define MANDEL_GROUP 16  /* 16 x 16 */

#define REDUCE_N (1 << 22) /* floats */
#define REDUCE_GROUP 256   /* a tree in group memory, 9 barriers */
#define REDUCE_GROUPS (REDUCE_N / REDUCE_GROUP)

#define EMPTY_GROUPS 16384 /* of one work-item */

#endif
