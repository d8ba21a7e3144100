typedef uint u32;

kernel void saxpy(global const float *x, global float *y, float a, int n) {
  int i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}

kernel void ids(global u32 *out) {
  u32 gx = get_global_id(0), gy = get_global_id(1), gz = get_global_id(2);
  out[(gz * get_global_size(1) + gy) * get_global_size(0) + gx] = gx + 1000 * gy + 1000000 * gz;
}

kernel void reduce(global const float *x, global float *out) {
  local float tile[256];
  u32 l = get_local_id(0);
  tile[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (u32 s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (l < s) tile[l] += tile[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = tile[0];
}

kernel void reverse(global u32 *x, local u32 *dynamic) {
  u32 l = get_local_id(0), n = get_local_size(0), base = get_group_id(0) * n;
  dynamic[l] = x[base + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[base + l] = dynamic[n - 1 - l];
}

static void wait_twice(u32 *sum, local float *tile, u32 i) {
  barrier(CLK_LOCAL_MEM_FENCE);
  *sum += (u32)tile[i];
  barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void across(global u32 *out, u32 rounds) {
  local float tile[256];
  u32 keep[4], sum = 0, l = get_local_id(0);
  for (u32 i = 0; i < 4; i++) keep[i] = l * 4 + i;
  for (u32 r = 0; r < rounds; r++) {
    tile[l] = (float)(l + r);
    wait_twice(&sum, tile, (l + 1) % get_local_size(0));
    keep[r % 4] += sum;
  }
  u32 all = sum;
  for (u32 i = 0; i < 4; i++) all = all * 31 + keep[i];
  out[get_global_id(0)] = all;
}

kernel void leave(global u32 *out, u32 n) {
  local float tile[256];
  u32 l = get_local_id(0), i = get_global_id(0);
  tile[l] = 1.0f;
  if (i >= n) return;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = (u32)tile[l] + i;
}

typedef struct { double a; int b[6]; char c; } big;
kernel void by_value(big s, global u32 *out, char i8, short i16, int i32, long i64, float f, double d) {
  if (get_global_id(0) == 0) {
    s.b[0] += 1;
    out[0] = (u32)s.a; out[1] = (u32)s.b[0]; out[2] = (u32)s.b[5]; out[3] = (u32)s.c;
    out[4] = (u32)i8; out[5] = (u32)i16; out[6] = (u32)i32; out[7] = (u32)i64;
    out[8] = (u32)f; out[9] = (u32)d;
  }
}

kernel void count(global u32 *hist) { atomic_add(&hist[get_local_id(0) % 4], 1); }

kernel void escape(global u32 *out, int w, int h, u32 limit) {
  int px = get_global_id(0), py = get_global_id(1);
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

kernel void matmul(global const float *a, global const float *b, global float *c, int n) {
  int col = get_global_id(0), row = get_global_id(1);
  if (col >= n || row >= n) return;
  float acc = 0.0f;
  for (int k = 0; k < n; k++) acc += a[row * n + k] * b[k * n + col];
  c[row * n + col] = acc;
}

/* Built-in functions, element by element against the values in dialects.rs. */
kernel void builtins(global float *out, global const float *in) {
  float x = in[0], y = in[1];
  float4 v = vload4(0, in);
  out[0] = sqrt(x); out[1] = rsqrt(x); out[2] = fmax(x, y); out[3] = clamp(x, 0.0f, 1.0f);
  out[4] = mad(x, y, 1.0f); out[5] = dot(v, v); out[6] = length(v); out[7] = pow(x, y);
  out[8] = (float)convert_int(y); out[9] = (float)max(3, (int)x); out[10] = mix(x, y, 0.5f);
  float4 c = clamp(v, 1.0f, 2.0f);
  vstore4(c, 3, out);
  out[11] = (float)convert_int_rte(1.5f + in[3]) + 10.0f * (float)convert_int_rtn(-in[1])
            + 100.0f * (float)convert_int_rtp(in[1]) + 1000.0f * (float)convert_uchar_sat(in[0] * 100.0f);
  out[16] = (float)popcount(7u); out[17] = isnan(x) ? 1.0f : 0.0f; out[18] = hypot(x, y); out[19] = native_sin(x);
}

kernel void nothing(void) {}
