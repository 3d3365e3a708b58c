/* A library to preload into a program linked with the shared CUDA runtime: one of its calls fails.
 *
 *   CUDA_FAULT_LOG=FILE   writes "NAME COUNT" of every call below at the end
 *   CUDA_FAIL=NAME        the call of this name that fails ...
 *   CUDA_FAIL_AT=N        ... when it is made for the N-th time, from 1,
 *   CUDA_FAIL_WITH=CODE   with this cudaError_t
 *
 * A kernel that fails on the device is told by a call that waits: cudaStreamSynchronize. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { cuda_malloc, cuda_host_alloc, cuda_memcpy_async, cuda_memcpy_3d_async, cuda_launch, cuda_wait, calls };

static const char *const names[calls] = {
    "cudaMalloc",        "cudaHostAlloc",      "cudaMemcpyAsync",
    "cudaMemcpy3DAsync", "cudaLaunchKernelExC", "cudaStreamSynchronize"};
static atomic_long counts[calls];

/* 0, or what the call returns instead of being made. */
static int fault_of(int call) {
  const long count = atomic_fetch_add(&counts[call], 1) + 1;
  const char *name = getenv("CUDA_FAIL");
  const char *at = getenv("CUDA_FAIL_AT");
  const char *code = getenv("CUDA_FAIL_WITH");
  if (!name || !at || !code || strcmp(name, names[call]) != 0) return 0;
  return count == atol(at) ? atoi(code) : 0;
}

static void *next(int call) { return dlsym(RTLD_NEXT, names[call]); }

__attribute__((destructor)) static void write_log(void) {
  const char *path = getenv("CUDA_FAULT_LOG");
  FILE *log = path ? fopen(path, "w") : NULL;
  if (!log) return;
  for (int call = 0; call < calls; ++call)
    fprintf(log, "%s %ld\n", names[call], atomic_load(&counts[call]));
  fclose(log);
}

int cudaMalloc(void **memory, size_t bytes) {
  const int fault = fault_of(cuda_malloc);
  return fault ? fault : ((int (*)(void **, size_t))next(cuda_malloc))(memory, bytes);
}

int cudaHostAlloc(void **memory, size_t bytes, unsigned flags) {
  const int fault = fault_of(cuda_host_alloc);
  return fault ? fault
               : ((int (*)(void **, size_t, unsigned))next(cuda_host_alloc))(memory, bytes, flags);
}

int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream) {
  const int fault = fault_of(cuda_memcpy_async);
  return fault ? fault
               : ((int (*)(void *, const void *, size_t, int, void *))next(cuda_memcpy_async))(
                     to, from, bytes, kind, stream);
}

int cudaMemcpy3DAsync(const void *parameters, void *stream) {
  const int fault = fault_of(cuda_memcpy_3d_async);
  return fault ? fault
               : ((int (*)(const void *, void *))next(cuda_memcpy_3d_async))(parameters, stream);
}

int cudaLaunchKernelExC(const void *config, const void *kernel, void **arguments) {
  const int fault = fault_of(cuda_launch);
  return fault ? fault
               : ((int (*)(const void *, const void *, void **))next(cuda_launch))(
                     config, kernel, arguments);
}

int cudaStreamSynchronize(void *stream) {
  const int fault = fault_of(cuda_wait);
  return fault ? fault : ((int (*)(void *))next(cuda_wait))(stream);
}
