// emit local.ll: -cl-std=CL2.0 --target=spir64 -O2 -Xclang -disable-llvm-passes
// Group memory as parameters, in OpenCL C: the caller gives sizes, each piece is aligned for its type.

kernel void two_locals(global const int *in, global int *out, local int *a, local double4 *b) {
  size_t item = get_local_id(0), size = get_local_size(0);
  a[item] = in[get_global_id(0)];
  b[item] = (double4)(item, item, item, item);
  barrier(CLK_LOCAL_MEM_FENCE);
  size_t other = size - 1 - item;
  out[get_global_id(0)] = a[other] + (int)b[other].s3;
}

// Where the pieces lie, as offsets from the first.
kernel void where_they_lie(global ulong *out, local char *a, local double4 *b, local int *c) {
  if (get_local_id(0) == 0) {
    out[0] = (ulong)b - (ulong)a;
    out[1] = (ulong)c - (ulong)a;
    out[2] = (ulong)a % 128;
  }
}
