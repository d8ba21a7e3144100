/* OpenCL on PoCL.
   opencl info|launch|kernels KERNELS.cl [--quick] */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "harness.h"

#define OK(call)                                                                     \
  do {                                                                               \
    cl_int e_ = (call);                                                              \
    if (e_) {                                                                        \
      fprintf(stderr, "%s:%d: OpenCL error %d in %s\n", __FILE__, __LINE__, e_, #call); \
      exit(2);                                                                       \
    }                                                                                \
  } while (0)

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;

/* PoCL's CPU device. Another OpenCL would be another peer. */
static void find_device(void) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  if (clGetPlatformIDs(16, platforms, &count)) count = 0;
  for (cl_uint i = 0; i < count && i < 16; i++) {
    char name[256] = "";
    OK(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL));
    if (!strcmp(name, "Portable Computing Language") &&
        clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, NULL) == CL_SUCCESS)
      return;
  }
  fprintf(stderr, "there is no CPU device of PoCL among %u OpenCL platforms\n", count);
  exit(3);
}

static char *contents(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END)) {
    perror(path);
    exit(2);
  }
  *size = (size_t)ftell(file);
  rewind(file);
  char *text = lend(*size + 1);
  if (fread(text, 1, *size, file) != *size) exit(2);
  fclose(file);
  return text;
}

static void build(const char *path) {
  cl_int error;
  size_t size;
  char *source = contents(path, &size);
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  OK(error);
  queue = clCreateCommandQueue(context, device, 0, &error);
  OK(error);
  program = clCreateProgramWithSource(context, 1, (const char **)&source, &size, &error);
  OK(error);
  if (clBuildProgram(program, 1, &device, "", NULL, NULL)) {
    char log[4096] = "";
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fprintf(stderr, "%s: %s\n", path, log);
    exit(2);
  }
  free(source);
}

static cl_kernel kernel(const char *name) {
  cl_int error;
  cl_kernel k = clCreateKernel(program, name, &error);
  OK(error);
  return k;
}

static cl_mem buffer(size_t bytes, const void *contents) {
  cl_int error;
  cl_mem_flags flags = CL_MEM_READ_WRITE | (contents ? CL_MEM_COPY_HOST_PTR : 0);
  cl_mem b = clCreateBuffer(context, flags, bytes, (void *)contents, &error);
  OK(error);
  return b;
}

static void enqueue(cl_kernel k, cl_uint dims, const size_t *items, const size_t *group) {
  OK(clEnqueueNDRangeKernel(queue, k, dims, NULL, items, group, 0, NULL, NULL));
}
static void run(cl_kernel k, cl_uint dims, const size_t *items, const size_t *group) {
  enqueue(k, dims, items, group);
  OK(clFinish(queue));
}
static void fetch(cl_mem b, size_t bytes, void *to) {
  OK(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, bytes, to, 0, NULL, NULL));
}

static void launch(struct options o) {
  cl_kernel empty = kernel("empty");
  size_t one = 1, many = EMPTY_GROUPS;
  double *us = lend((size_t)o.launches * sizeof *us);
  for (int i = 0; i < 200; i++) run(empty, 1, &one, &one);
  for (int i = 0; i < o.launches; i++) {
    double t = now();
    run(empty, 1, &one, &one);
    us[i] = (now() - t) * 1e6;
  }
  launch_samples(us, o.launches);
  free(us);
  for (int r = 0; r < o.repeat; r++) {
    double t = now();
    for (int i = 0; i < 1000; i++) enqueue(empty, 1, &one, &one);
    OK(clFinish(queue));
    sample("empty_launch_pipelined", "us", (now() - t) * 1e3);
  }
  TIMED("empty_16384_groups", o.repeat, run(empty, 1, &many, &one));
  OK(clReleaseKernel(empty));
}

static void saxpy(struct options o) {
  size_t bytes = SAXPY_N * sizeof(float), items = SAXPY_N, group = SAXPY_GROUP;
  float *x = lend(bytes), *y = lend(bytes), a = SAXPY_A;
  random_floats(x, SAXPY_N, 1);
  for (int i = 0; i < SAXPY_N; i++) y[i] = 1;
  cl_mem bx = buffer(bytes, x), by = buffer(bytes, y);
  cl_kernel k = kernel("saxpy");
  OK(clSetKernelArg(k, 0, sizeof bx, &bx));
  OK(clSetKernelArg(k, 1, sizeof by, &by));
  OK(clSetKernelArg(k, 2, sizeof a, &a));
  TIMED("saxpy_16M", o.repeat, run(k, 1, &items, &group));
  fetch(by, bytes, y);
  check("saxpy", saxpy_ok(x, y, o.repeat + 2));
  OK(clReleaseMemObject(bx));
  OK(clReleaseMemObject(by));
  OK(clReleaseKernel(k));
  free(x);
  free(y);
}

static void mandel(struct options o) {
  size_t bytes = (size_t)MANDEL_SIDE * MANDEL_SIDE * sizeof(unsigned);
  size_t items[2] = {MANDEL_SIDE, MANDEL_SIDE}, group[2] = {MANDEL_GROUP, MANDEL_GROUP};
  unsigned *out = lend(bytes);
  int side = MANDEL_SIDE, limit = MANDEL_LIMIT;
  cl_mem b = buffer(bytes, NULL);
  cl_kernel k = kernel("mandel");
  OK(clSetKernelArg(k, 0, sizeof b, &b));
  OK(clSetKernelArg(k, 1, sizeof side, &side));
  OK(clSetKernelArg(k, 2, sizeof side, &side));
  OK(clSetKernelArg(k, 3, sizeof limit, &limit));
  TIMED("mandel_2048", o.repeat, run(k, 2, items, group));
  fetch(b, bytes, out);
  check("mandel", mandel_ok(out));
  OK(clReleaseMemObject(b));
  OK(clReleaseKernel(k));
  free(out);
}

static void reduce(struct options o) {
  size_t items = REDUCE_N, group = REDUCE_GROUP;
  float *x = lend(REDUCE_N * sizeof *x), *partial = lend(REDUCE_GROUPS * sizeof *partial);
  random_floats(x, REDUCE_N, 4);
  cl_mem bx = buffer(REDUCE_N * sizeof *x, x), bp = buffer(REDUCE_GROUPS * sizeof *partial, NULL);
  cl_kernel k = kernel("reduce");
  OK(clSetKernelArg(k, 0, sizeof bx, &bx));
  OK(clSetKernelArg(k, 1, sizeof bp, &bp));
  TIMED("reduce_4M_barriers", o.repeat, run(k, 1, &items, &group));
  fetch(bp, REDUCE_GROUPS * sizeof *partial, partial);
  check("reduce", reduce_ok(x, partial));
  OK(clReleaseMemObject(bx));
  OK(clReleaseMemObject(bp));
  OK(clReleaseKernel(k));
  free(x);
  free(partial);
}

static void info(void) {
  char name[256] = "", version[256] = "";
  OK(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL));
  OK(clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof version, version, NULL));
  printf("PoCL %s on %s\n", version, name);
}

int main(int argc, char **argv) {
  struct options o = options(argc, argv);
  find_device();
  if (!strcmp(o.mode, "info")) return info(), 0;
  build(o.kernels);
  if (!strcmp(o.mode, "launch")) return launch(o), 0;
  if (!strcmp(o.mode, "kernels")) return saxpy(o), mandel(o), reduce(o), 0;
  fprintf(stderr, "usage: opencl info|launch|kernels KERNELS.cl [--quick]\n");
  return 2;
}
