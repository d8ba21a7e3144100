// How many steps z = z * z + c takes to leave the disc of radius 256, one item per pixel, and where z is then.

// Products and sums round one by one, so that a program on the host can check every bit.
#pragma OPENCL FP_CONTRACT OFF

kernel void mandelbrot(global uint *restrict counts, global float *restrict norms, uint width, float left,
                       float top, float step, uint limit) {
  uint px = get_global_id(0), py = get_global_id(1);
  float cx = left + step * (float)px;
  float cy = top + step * (float)py;
  float x = 0.0f, y = 0.0f;
  uint count = 0;
  while (count < limit && x * x + y * y <= 65536.0f) {
    float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    count++;
  }
  counts[py * width + px] = count;
  norms[py * width + px] = x * x + y * y;
}
