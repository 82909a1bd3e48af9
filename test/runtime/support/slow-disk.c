/* Preloaded into a child process: every flush to disk takes at least FLUSH_MICROSECONDS, and is written down in the
   file FLUSH_JOURNAL with its beginning and its end, in nanoseconds of the machine's clock. With FLUSH_BEGUN, a file of
   that name is there as soon as the first one has begun. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int slowly(const char *name, int file) {
  const char *delay = getenv("FLUSH_MICROSECONDS");
  const char *journal = getenv("FLUSH_JOURNAL");
  long long begun = now();
  const char *begun_file = getenv("FLUSH_BEGUN");
  if (begun_file) close(open(begun_file, O_WRONLY | O_CREAT, 0600));
  if (delay) usleep(atoi(delay));
  int (*flush)(int) = dlsym(RTLD_NEXT, name);
  int result = flush(file);
  char line[64];
  int length = snprintf(line, sizeof line, "%lld %lld\n", begun, now());
  int written = journal ? open(journal, O_WRONLY | O_APPEND | O_CREAT, 0600) : -1;
  if (written >= 0) {
    if (write(written, line, length) != length) abort();
    close(written);
  }
  return result;
}

int fsync(int file) { return slowly("fsync", file); }
int fdatasync(int file) { return slowly("fdatasync", file); }
