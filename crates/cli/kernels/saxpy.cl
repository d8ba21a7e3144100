// y = a * x + y, one item per element.

kernel void saxpy(global const float *restrict x, global float *restrict y, float a) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
