/* One source for four dialects: gpuintrin.h on GPUs, Oarlock's header on this machine. */
#if defined(__NVPTX__) || defined(__AMDGPU__) || defined(__SPIRV__)
#include <gpuintrin.h>
#define KERNEL __gpu_kernel
#define SHARED __gpu_local
#define DYNAMIC extern __gpu_local
#define LID(d) __gpu_thread_id(d)
#define GID(d) __gpu_block_id(d)
#define SIZE(d) __gpu_num_threads(d)
#define COUNT(d) __gpu_num_blocks(d)
#define BARRIER() __gpu_sync_threads()
#else
#include <oarlock/kernel.h>
#define KERNEL OARLOCK_KERNEL
#define SHARED OARLOCK_GROUP
#define DYNAMIC extern OARLOCK_GROUP
#define LID(d) oarlock_local_id(d)
#define GID(d) oarlock_group_id(d)
#define SIZE(d) oarlock_group_size(d)
#define COUNT(d) oarlock_group_count(d)
#define BARRIER() oarlock_barrier()
#endif
typedef unsigned int u32;
typedef unsigned long long u64;
