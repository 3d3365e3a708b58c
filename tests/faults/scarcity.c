/* Threads and memory that run out from some call on (LD_PRELOAD).

   THREADS   how many calls of pthread_create succeed (default: all); later ones fail (EAGAIN)
   MEMORY    how many allocations of the HDF5 library succeed (default: all); later ones fail, as do
             those of all others from 64 kB on
   COUNTS    a file that receives the numbers of both calls at exit */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_long threads, allocations;

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);

static long limit_of(const char* name) {
  const char* text = getenv(name);
  return text ? atol(text) : LONG_MAX;
}

/* Whether an allocation fails whose caller is at a place of the code. */
static int is_used_up(void* place, size_t size) {
  static long limit = -1;
  if (limit < 0) limit = limit_of("MEMORY");
  Dl_info found;
  if (dladdr(place, &found) && strstr(found.dli_fname, "libhdf5"))
    return atomic_fetch_add(&allocations, 1) >= limit;
  return size >= 65536 && atomic_load(&allocations) > limit;
}

#define UNLESS_USED_UP(size, allocation)               \
  if (is_used_up(__builtin_return_address(0), size)) { \
    errno = ENOMEM;                                    \
    return NULL;                                       \
  }                                                    \
  return allocation

void* malloc(size_t size) {
  UNLESS_USED_UP(size, __libc_malloc(size));
}
void* calloc(size_t count, size_t size) {
  UNLESS_USED_UP(count * size, __libc_calloc(count, size));
}
void* realloc(void* memory, size_t size) {
  UNLESS_USED_UP(size, __libc_realloc(memory, size));
}

int pthread_create(pthread_t* thread,
                   const pthread_attr_t* attributes,
                   void* (*start)(void*),
                   void* argument) {
  static int (*next)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  if (!next) next = (__typeof__(next))dlsym(RTLD_NEXT, "pthread_create");
  if (atomic_fetch_add(&threads, 1) >= limit_of("THREADS")) return EAGAIN;
  return next(thread, attributes, start, argument);
}

__attribute__((destructor)) static void write_counts(void) {
  const char* path = getenv("COUNTS");
  FILE* file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld %ld\n", atomic_load(&threads), atomic_load(&allocations));
  fclose(file);
}
