// The kernels of the benchmarks, for PoCL at run time and for us as `bench.ll`. Group sizes: 1, 256, 16 x 16, 256.

kernel void empty(void) {}

kernel void saxpy(global const float *restrict x, global float *restrict y, float a) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}

kernel void mandel(global uint *restrict out, int w, int h, int limit) {
  int px = get_global_id(0), py = get_global_id(1);
  float cx = -2.0f + 2.5f * (float)px / (float)w;
  float cy = -1.25f + 2.5f * (float)py / (float)h;
  float x = 0.0f, y = 0.0f;
  uint it = 0;
  while (it < (uint)limit && x * x + y * y <= 4.0f) {
    float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    it++;
  }
  out[py * w + px] = it;
}

kernel void reduce(global const float *restrict x, global float *restrict partial) {
  local float t[256];
  int l = get_local_id(0);
  t[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 128; s > 0; s >>= 1) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) partial[get_group_id(0)] = t[0];
}
