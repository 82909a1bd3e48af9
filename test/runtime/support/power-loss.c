/* Preloaded into a child process that will lose its power. Beside every database file stands NAME.disk: what is on disk
   for certain, because it was flushed. power-loss.ts puts that in the place of the file when the process is dead.

   LMDB writes its pages with pwrite, writev or pwritev, calls fdatasync, and then writes the meta page through a second
   descriptor with O_DSYNC, which flushes by itself. Its map is read-only. Should that ever change, the process is
   aborted: writes through memory cannot be seen here.

   With DISK_IGNORES_FLUSHES set nothing ever comes to the disk: a disk that answers before it has written. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILES_MAX 64
#define DESCRIPTORS_MAX 4096
#define DATABASE "/data.mdb"

struct range {
  off_t offset;
  size_t length;
  struct range *next;
};

struct file {
  char path[4096];
  /* Of what is on disk. */
  int disk;
  /* Written, and not flushed. */
  struct range *pending;
};

static struct file files[FILES_MAX];
static int file_count;
static struct {
  struct file *file;
  int flushes;
} descriptors[DESCRIPTORS_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void demand(int condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "power-loss: %s\n", what);
  abort();
}

static struct file *file_of(int descriptor) {
  return descriptor >= 0 && descriptor < DESCRIPTORS_MAX ? descriptors[descriptor].file : NULL;
}

/* What both sides of a copy read and write is in the cache of the system: no I/O happens here. */
static void copy_range(int from, int to, off_t offset, size_t length) {
  char bytes[65536];
  while (length > 0) {
    size_t wanted = length < sizeof bytes ? length : sizeof bytes;
    ssize_t count = NEXT(pread64)(from, bytes, wanted, offset);
    demand(count >= 0, "a file cannot be read");
    if (count == 0) return;
    demand(NEXT(pwrite64)(to, bytes, count, offset) == count, "what is on disk cannot be written");
    offset += count;
    length -= count;
  }
}

/* What a process finds is on disk. */
static struct file *find_file(const char *path) {
  for (int index = 0; index < file_count; index += 1)
    if (strcmp(files[index].path, path) == 0) return &files[index];
  demand(file_count < FILES_MAX, "too many files");
  struct file *file = &files[file_count++];
  char disk[4200];
  snprintf(file->path, sizeof file->path, "%s", path);
  snprintf(disk, sizeof disk, "%s.disk", path);
  file->disk = NEXT(open64)(disk, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  demand(file->disk >= 0, "what is on disk cannot be kept");
  int present = NEXT(open64)(path, O_RDONLY | O_CLOEXEC);
  if (present >= 0) {
    struct stat status;
    fstat(present, &status);
    copy_range(present, file->disk, 0, status.st_size);
    close(present);
  }
  return file;
}

static void flush(int descriptor, struct file *file) {
  if (getenv("DISK_IGNORES_FLUSHES")) return;
  struct stat status;
  demand(fstat(descriptor, &status) == 0, "the size of a file is unknown");
  int source = NEXT(open64)(file->path, O_RDONLY | O_CLOEXEC);
  demand(source >= 0, "a file cannot be opened");
  for (struct range *range = file->pending; range != NULL;) {
    struct range *next = range->next;
    copy_range(source, file->disk, range->offset, range->length);
    free(range);
    range = next;
  }
  file->pending = NULL;
  demand(ftruncate64(file->disk, status.st_size) == 0, "what is on disk cannot be resized");
  NEXT(close)(source);
}

static void written(int descriptor, off_t offset, ssize_t length) {
  struct file *file = file_of(descriptor);
  if (file == NULL || length <= 0) return;
  pthread_mutex_lock(&lock);
  struct range *range = malloc(sizeof *range);
  *range = (struct range){offset, length, file->pending};
  file->pending = range;
  if (descriptors[descriptor].flushes) {
    /* Only this range: O_DSYNC says nothing of what other descriptors wrote. */
    file->pending = range->next;
    if (!getenv("DISK_IGNORES_FLUSHES")) {
      int source = NEXT(open64)(file->path, O_RDONLY | O_CLOEXEC);
      copy_range(source, file->disk, offset, length);
      NEXT(close)(source);
    }
    free(range);
  }
  pthread_mutex_unlock(&lock);
}

static int opened(const char *path, int flags, int descriptor, struct file *file) {
  if (descriptor < 0 || file == NULL) return descriptor;
  demand(descriptor < DESCRIPTORS_MAX, "too many descriptors");
  descriptors[descriptor].file = file;
  descriptors[descriptor].flushes = (flags & (O_DSYNC | O_SYNC)) != 0;
  return descriptor;
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  size_t length = strlen(path);
  size_t suffix = strlen(DATABASE);
  int is_written = (flags & O_ACCMODE) != O_RDONLY;
  int is_database = length > suffix && strcmp(path + length - suffix, DATABASE) == 0;
  struct file *file = NULL;
  if (is_written && is_database) {
    pthread_mutex_lock(&lock);
    file = find_file(path);
    pthread_mutex_unlock(&lock);
  }
  return opened(path, flags, NEXT(open64)(path, flags, mode), file);
}

int close(int descriptor) {
  if (file_of(descriptor) != NULL) descriptors[descriptor].file = NULL;
  return NEXT(close)(descriptor);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset) {
  ssize_t count = NEXT(pwrite64)(descriptor, bytes, length, offset);
  written(descriptor, offset, count);
  return count;
}

ssize_t pwritev64(int descriptor, const struct iovec *parts, int part_count, off64_t offset) {
  ssize_t count = NEXT(pwritev64)(descriptor, parts, part_count, offset);
  written(descriptor, offset, count);
  return count;
}

ssize_t writev(int descriptor, const struct iovec *parts, int part_count) {
  off_t offset = file_of(descriptor) == NULL ? 0 : lseek64(descriptor, 0, SEEK_CUR);
  ssize_t count = NEXT(writev)(descriptor, parts, part_count);
  written(descriptor, offset, count);
  return count;
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
  off_t offset = file_of(descriptor) == NULL ? 0 : lseek64(descriptor, 0, SEEK_CUR);
  ssize_t count = NEXT(write)(descriptor, bytes, length);
  written(descriptor, offset, count);
  return count;
}

static int flushed(int descriptor, int result) {
  struct file *file = file_of(descriptor);
  if (file == NULL || result != 0) return result;
  pthread_mutex_lock(&lock);
  flush(descriptor, file);
  pthread_mutex_unlock(&lock);
  return result;
}

int fdatasync(int descriptor) { return flushed(descriptor, NEXT(fdatasync)(descriptor)); }
int fsync(int descriptor) { return flushed(descriptor, NEXT(fsync)(descriptor)); }

void *mmap64(void *place, size_t length, int protection, int flags, int descriptor, off64_t offset) {
  int is_shared = (flags & MAP_TYPE) == MAP_SHARED || (flags & MAP_TYPE) == MAP_SHARED_VALIDATE;
  demand(file_of(descriptor) == NULL || !(protection & PROT_WRITE) || !is_shared, "a database is written through memory");
  return NEXT(mmap64)(place, length, protection, flags, descriptor, offset);
}
