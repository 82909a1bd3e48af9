/* Preloaded into a child process: every flush to disk takes at least FLUSH_MICROSECONDS. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static int slowly(const char *name, int file) {
  const char *delay = getenv("FLUSH_MICROSECONDS");
  if (delay) usleep(atoi(delay));
  int (*flush)(int) = dlsym(RTLD_NEXT, name);
  return flush(file);
}

int fsync(int file) { return slowly("fsync", file); }
int fdatasync(int file) { return slowly("fdatasync", file); }
