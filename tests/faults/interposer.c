/* Stands between the program and the C library (LD_PRELOAD) and counts the calls that change files
   below a folder. One of them can be made to fail, or to be the last thing that the process does.

   FAULT_FOLDER   files whose path contains this text are watched
   FAULT_LOG      a line per call is appended here, separated by tabs: number, call, path,
                  size of an open file before the call [bytes], path before a rename
   KILL_AT        number of the call at which the process kills itself
   KILL_WHEN      before (default) or after that call
   FAIL_AT        number of the first call that fails
   FAIL_FOR       how many calls fail from there on (default 1)
   FAIL_WITH      number of the error (errno)
   FAIL_HOW       instead: half (a read or write does half), none (a write does nothing and returns
                  0), done (the call does its work and then reports FAIL_WITH)
   FAULT_KIND     only calls of this kind count: open, openr (for reading), read, pread, write,
                  close, fsync, stat, rename, unlink, ftruncate, fflush, mkdir, opendir, readdir,
                  flock
   FAULT_RANK     only calls of this rank of Open MPI count
   SHORT_WRITES   if set, write and pwrite write only half of what they are given
   NO_LOCKS       if set, no file can be locked: ENOLCK, as on some network file systems

   Without FAULT_KIND, calls that change no file do not count: openr, read, pread, close, stat,
   opendir, readdir, flock. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum fate { goes_on, fails, fails_after, killed_after };

struct file {
  char path[PATH_MAX];
  char before[PATH_MAX]; /* of a file that is renamed or linked */
  long long size;
};

static atomic_long calls;
static _Thread_local enum { all, half, none } part_done; /* of the bytes of a read or write */

static long number(const char* name, long missing) {
  const char* text = getenv(name);
  return text ? atol(text) : missing;
}

static int is_of_rank(void) {
  const char* wanted = getenv("FAULT_RANK");
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  return !wanted || (rank && strcmp(rank, wanted) == 0);
}

static int is_watched(const char* path) {
  const char* folder = getenv("FAULT_FOLDER");
  return folder && strstr(path, folder) != NULL && is_of_rank();
}

static int starts_with(const char* text, const char* start) {
  return strncmp(text, start, strlen(start)) == 0;
}

/* The kind of a call by the name of its function. */
static const char* kind_of(const char* name) {
  static const char* const kinds[][2] = {{"fopen", "open"},
                                         {"openr", "openr"},
                                         {"opendir", "opendir"},
                                         {"open", "open"},
                                         {"readdir", "readdir"},
                                         {"read", "read"},
                                         {"pread", "pread"},
                                         {"pwrite", "write"},
                                         {"write", "write"},
                                         {"fclose", "close"},
                                         {"fdatasync", "fsync"},
                                         {"fstat", "stat"},
                                         {"lstat", "stat"},
                                         {"stat", "stat"},
                                         {"ftruncate", "ftruncate"},
                                         {"unlink", "unlink"},
                                         {"remove", "unlink"},
                                         {"link", "rename"}};
  for (size_t n = 0; n < sizeof kinds / sizeof kinds[0]; ++n)
    if (starts_with(name, kinds[n][0])) return kinds[n][1];
  return name;
}

static int changes_files(const char* kind) {
  static const char* const others[] = {
      "openr", "read", "pread", "close", "stat", "opendir", "readdir", "flock"};
  for (size_t n = 0; n < sizeof others / sizeof others[0]; ++n)
    if (strcmp(kind, others[n]) == 0) return 0;
  return 1;
}

static int counts(const char* name) {
  const char* wanted = getenv("FAULT_KIND");
  return wanted ? strcmp(kind_of(name), wanted) == 0 : changes_files(kind_of(name));
}

static void read_link_of(int descriptor, char* path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, PATH_MAX - 1);
  path[length > 0 ? length : 0] = 0;
}

/* The absolute path of a name that is relative to a folder (AT_FDCWD: the working folder). */
static void resolve(int folder, const char* name, char* path) {
  char base[PATH_MAX] = "";
  if (name[0] != '/' && folder != AT_FDCWD) read_link_of(folder, base);
  if (name[0] != '/' && folder == AT_FDCWD && !getcwd(base, sizeof base)) base[0] = 0;
  snprintf(path, PATH_MAX, "%.2040s%s%.2040s", base, base[0] ? "/" : "", name);
}

/* Each find_... returns whether the file is watched, and describes it. */
static int find_descriptor(int descriptor, struct file* file) {
  read_link_of(descriptor, file->path);
  return is_watched(file->path);
}

/* By its number: fstat is one of the calls. */
static int find_open(int descriptor, struct file* file) {
  if (!find_descriptor(descriptor, file)) return 0;
  struct stat status;
  if (syscall(SYS_newfstatat, descriptor, "", &status, AT_EMPTY_PATH) == 0)
    file->size = (long long)status.st_size;
  return 1;
}

static int find_named(int folder, const char* name, struct file* file) {
  resolve(folder, name, file->path);
  return is_watched(file->path);
}

static int find_pair(
    int from_folder, const char* from, int to_folder, const char* to, struct file* file) {
  resolve(from_folder, from, file->before);
  return find_named(to_folder, to, file);
}

static int find_stream(const char* name, struct file* file) {
  return name && find_named(AT_FDCWD, name, file);
}

static int find_folder(DIR* folder, struct file* file) {
  return folder && find_open(dirfd(folder), file);
}

static int find_flushed(FILE* stream, struct file* file) {
  return stream && find_open(fileno(stream), file);
}

static void note(long call, const char* name, const struct file* file) {
  const char* log = getenv("FAULT_LOG");
  if (!log) return;
  char line[3 * PATH_MAX];
  const int length = snprintf(line,
                              sizeof line,
                              "%ld\t%s\t%s\t%lld\t%s\n",
                              call,
                              name,
                              file->path,
                              file->size,
                              file->before);
  /* By their numbers: these calls do not count. */
  const long out =
      syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  syscall(SYS_write, out, line, length);
  syscall(SYS_close, out);
}

static void kill_process(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

static enum fate fate_of_next_call(const char* name, const struct file* file) {
  part_done = all;
  if (!counts(name)) return goes_on;
  const long call = atomic_fetch_add(&calls, 1) + 1;
  note(call, name, file);
  if (call == number("KILL_AT", 0)) {
    const char* when = getenv("KILL_WHEN");
    if (when && strcmp(when, "after") == 0) return killed_after;
    kill_process();
  }
  const long first = number("FAIL_AT", 0);
  if (first == 0 || call < first || call >= first + number("FAIL_FOR", 1)) return goes_on;
  errno = (int)number("FAIL_WITH", EIO);
  const char* how = getenv("FAIL_HOW");
  if (how && strcmp(how, "done") == 0) return fails_after;
  if (how) part_done = strcmp(how, "half") == 0 ? half : none;
  return how ? goes_on : fails;
}

static size_t given_size(size_t size) {
  if (part_done == none) return 0;
  return part_done == half && size > 1 ? size / 2 : size;
}

static size_t written_size(size_t size) {
  return getenv("SHORT_WRITES") && size > 1 ? size / 2 : given_size(size);
}

/* The next definition of a function: that of the C library, or of a sanitizer. */
#define NEXT(type, name, parameters) \
  static type(*next) parameters;     \
  if (!next) next = (type(*) parameters)dlsym(RTLD_NEXT, #name)

/* Calls the next function unless `found`, which fills `file`, and fate will otherwise. */
#define CALL(type, name, arguments, failure, found)      \
  struct file file = {.before = "", .size = 0};          \
  if (!(found)) return next arguments;                   \
  const enum fate fate = fate_of_next_call(name, &file); \
  if (fate == fails) return failure;                     \
  type result = next arguments;                          \
  if (fate == killed_after) kill_process();              \
  if (fate == fails_after) {                             \
    errno = (int)number("FAIL_WITH", EIO);               \
    return failure;                                      \
  }                                                      \
  return result

#define INTERPOSE(type, name, parameters, arguments, failure, found) \
  type name parameters {                                             \
    NEXT(type, name, parameters);                                    \
    CALL(type, #name, arguments, failure, found);                    \
  }

/* As above for functions whose last argument, the mode, is there only when a file may be made. */
#define INTERPOSE_OPEN(name, parameters, arguments, found)                            \
  int name parameters {                                                               \
    NEXT(int, name, parameters);                                                      \
    mode_t mode = 0;                                                                  \
    if (flags & (O_CREAT | O_TMPFILE)) {                                              \
      va_list rest;                                                                   \
      va_start(rest, flags);                                                          \
      mode = va_arg(rest, mode_t);                                                    \
      va_end(rest);                                                                   \
    }                                                                                 \
    CALL(int, (flags & (O_WRONLY | O_RDWR)) ? #name : "openr", arguments, -1, found); \
  }

#define INTERPOSE_STREAM(name)                     \
  FILE* name(const char* path, const char* mode) { \
    NEXT(FILE*, name, (const char*, const char*)); \
    CALL(FILE*,                                    \
         strpbrk(mode, "wa+") ? #name : "openr",   \
         (path, mode),                             \
         NULL,                                     \
         find_stream(path, &file));                \
  }

INTERPOSE_OPEN(open,
               (const char* path, int flags, ...),
               (path, flags, mode),
               find_named(AT_FDCWD, path, &file))
INTERPOSE_OPEN(open64,
               (const char* path, int flags, ...),
               (path, flags, mode),
               find_named(AT_FDCWD, path, &file))
INTERPOSE_OPEN(openat,
               (int folder, const char* path, int flags, ...),
               (folder, path, flags, mode),
               find_named(folder, path, &file))
INTERPOSE_OPEN(openat64,
               (int folder, const char* path, int flags, ...),
               (folder, path, flags, mode),
               find_named(folder, path, &file))
INTERPOSE_STREAM(fopen)
INTERPOSE_STREAM(fopen64)

INTERPOSE(ssize_t,
          write,
          (int descriptor, const void* data, size_t size),
          (descriptor, data, written_size(size)),
          -1,
          find_open(descriptor, &file))
INTERPOSE(ssize_t,
          writev,
          (int descriptor, const struct iovec* parts, int count),
          (descriptor, parts, count),
          -1,
          find_open(descriptor, &file))
INTERPOSE(ssize_t,
          pwrite,
          (int descriptor, const void* data, size_t size, off_t at),
          (descriptor, data, written_size(size), at),
          -1,
          find_open(descriptor, &file))
INTERPOSE(ssize_t,
          pwrite64,
          (int descriptor, const void* data, size_t size, off64_t at),
          (descriptor, data, written_size(size), at),
          -1,
          find_open(descriptor, &file))
INTERPOSE(int,
          ftruncate,
          (int descriptor, off_t size),
          (descriptor, size),
          -1,
          find_open(descriptor, &file))
INTERPOSE(int,
          ftruncate64,
          (int descriptor, off64_t size),
          (descriptor, size),
          -1,
          find_open(descriptor, &file))

INTERPOSE(int, fflush, (FILE * stream), (stream), EOF, find_flushed(stream, &file))
INTERPOSE(int, fsync, (int descriptor), (descriptor), -1, find_open(descriptor, &file))
INTERPOSE(int, fdatasync, (int descriptor), (descriptor), -1, find_open(descriptor, &file))

INTERPOSE(int,
          rename,
          (const char* from, const char* to),
          (from, to),
          -1,
          find_pair(AT_FDCWD, from, AT_FDCWD, to, &file))
INTERPOSE(int,
          link,
          (const char* from, const char* to),
          (from, to),
          -1,
          find_pair(AT_FDCWD, from, AT_FDCWD, to, &file))
INTERPOSE(int, unlink, (const char* path), (path), -1, find_named(AT_FDCWD, path, &file))
INTERPOSE(int,
          unlinkat,
          (int folder, const char* path, int flags),
          (folder, path, flags),
          -1,
          find_named(folder, path, &file))
INTERPOSE(int, remove, (const char* path), (path), -1, find_named(AT_FDCWD, path, &file))
INTERPOSE(int,
          mkdir,
          (const char* path, mode_t mode),
          (path, mode),
          -1,
          find_named(AT_FDCWD, path, &file))

/* A file that cannot be closed is closed all the same, as by Linux. */
#define INTERPOSE_CLOSE(type, name, parameter, argument, failure, found)         \
  type name(parameter) {                                                         \
    NEXT(type, name, (parameter));                                               \
    struct file file = {.before = "", .size = 0};                                \
    const int is_found = found;                                                  \
    const enum fate fate = is_found ? fate_of_next_call(#name, &file) : goes_on; \
    const int error = errno;                                                     \
    type result = next(argument);                                                \
    if (fate == goes_on) return result;                                          \
    errno = error;                                                               \
    return failure;                                                              \
  }
INTERPOSE_CLOSE(int, close, int descriptor, descriptor, -1, find_open(descriptor, &file))
INTERPOSE_CLOSE(int, fclose, FILE* stream, stream, EOF, find_flushed(stream, &file))

INTERPOSE(ssize_t,
          read,
          (int descriptor, void* data, size_t size),
          (descriptor, data, given_size(size)),
          -1,
          find_open(descriptor, &file))
INTERPOSE(ssize_t,
          pread,
          (int descriptor, void* data, size_t size, off_t at),
          (descriptor, data, given_size(size), at),
          -1,
          find_open(descriptor, &file))
INTERPOSE(ssize_t,
          pread64,
          (int descriptor, void* data, size_t size, off64_t at),
          (descriptor, data, given_size(size), at),
          -1,
          find_open(descriptor, &file))
#define INTERPOSE_STAT(name, type)                   \
  INTERPOSE(int,                                     \
            name,                                    \
            (const char* path, struct type* status), \
            (path, status),                          \
            -1,                                      \
            find_named(AT_FDCWD, path, &file))
INTERPOSE_STAT(stat, stat)
INTERPOSE_STAT(stat64, stat64)
INTERPOSE_STAT(lstat, stat)
INTERPOSE_STAT(lstat64, stat64)
/* Not fstat of this library itself, which find_open needs. */
#define INTERPOSE_FSTAT(name, type)                \
  INTERPOSE(int,                                   \
            name,                                  \
            (int descriptor, struct type* status), \
            (descriptor, status),                  \
            -1,                                    \
            find_descriptor(descriptor, &file))
INTERPOSE_FSTAT(fstat, stat)
INTERPOSE_FSTAT(fstat64, stat64)
INTERPOSE(DIR*, opendir, (const char* path), (path), NULL, find_named(AT_FDCWD, path, &file))
INTERPOSE(struct dirent*, readdir, (DIR * folder), (folder), NULL, find_folder(folder, &file))
INTERPOSE(struct dirent64*, readdir64, (DIR * folder), (folder), NULL, find_folder(folder, &file))

/* Without FAULT_KIND locks do not count as calls: they change no file. */
static int refuses_lock(int descriptor) {
  struct file file = {.before = "", .size = 0};
  if (!getenv("NO_LOCKS") || !find_open(descriptor, &file)) return 0;
  errno = ENOLCK;
  return 1;
}

int flock(int descriptor, int operation) {
  NEXT(int, flock, (int, int));
  if (refuses_lock(descriptor)) return -1;
  CALL(int, "flock", (descriptor, operation), -1, find_descriptor(descriptor, &file));
}

static int is_about_locks(int command) {
  return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK ||
         command == F_OFD_SETLKW;
}

#define INTERPOSE_FCNTL(name)                                           \
  int name(int descriptor, int command, ...) {                          \
    NEXT(int, name, (int, int, ...));                                   \
    va_list rest;                                                       \
    va_start(rest, command);                                            \
    void* argument = va_arg(rest, void*);                               \
    va_end(rest);                                                       \
    if (is_about_locks(command) && refuses_lock(descriptor)) return -1; \
    return next(descriptor, command, argument);                         \
  }
INTERPOSE_FCNTL(fcntl)
INTERPOSE_FCNTL(fcntl64)
