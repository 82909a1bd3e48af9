/* Preloaded into a child process that will lose its power. Beside the folder DISK_FOLDER stands DISK_FOLDER.disk: what is on
   disk for certain, because it was flushed. power-loss.ts makes a folder of that when the process is dead.

     INODE        the bytes of a file that were flushed
     INODE.names  the entries of a folder when it was flushed: kind, inode, name

   What a process finds is on disk. A file that is made, renamed or removed is known by its folder once that is flushed,
   and not before: POSIX promises no more. Removed files stay open here, so that no other gets their inode.

   LMDB writes its pages with pwrite, writev or pwritev, calls fdatasync, and then writes the meta page through a second
   descriptor with O_DSYNC, which flushes by itself. Its map is read-only. Should that ever change, the process is aborted:
   writes through memory cannot be seen here. The table of readers is of no use after a loss.

   With DISK_IGNORES_FLUSHES set nothing ever comes to the disk: a disk that answers before it has written. With
   DISK_OPERATIONS set the power goes before the operation of that number, counted from 1. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define DESCRIPTORS_MAX 4096
#define PATH_BYTES 4096
#define READERS "/lock.mdb"

struct range {
  off_t offset;
  size_t length;
  struct range *next;
};

struct file {
  ino_t inode;
  /* Of what is on disk, and of the file itself: both stay open. */
  int disk;
  int source;
  /* Written, and not flushed. */
  struct range *pending;
  struct file *next;
};

static struct file *files;
static struct {
  struct file *file;
  int flushes;
} descriptors[DESCRIPTORS_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *folder;
static size_t folder_length;
static long operations;
static long operations_max;

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void demand(int condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "power-loss: %s\n", what);
  abort();
}

/* What happens to the folder happens one after the other, and to the end, unless the power goes. */
static void begin(void) {
  pthread_mutex_lock(&lock);
  operations += 1;
  if (operations == operations_max) raise(SIGKILL);
}

static void end(void) { pthread_mutex_unlock(&lock); }

static int is_inside(const char *path) {
  return folder != NULL && strncmp(path, folder, folder_length) == 0 && (path[folder_length] == '/' || path[folder_length] == 0);
}

static int is_readers(const char *path) {
  size_t length = strlen(path);
  return length > strlen(READERS) && strcmp(path + length - strlen(READERS), READERS) == 0;
}

static int open_disk(ino_t inode, const char *suffix, int flags) {
  char path[PATH_BYTES];
  snprintf(path, sizeof path, "%s.disk/%lu%s", folder, (unsigned long)inode, suffix);
  int disk = NEXT(open64)(path, flags | O_CREAT | O_CLOEXEC, 0600);
  demand(disk >= 0, "what is on disk cannot be kept");
  return disk;
}

/* What both sides of a copy read and write is in the cache of the system: no I/O happens here. */
static void copy_range(int from, int to, off_t offset, size_t length) {
  char bytes[65536];
  while (length > 0) {
    size_t wanted = length < sizeof bytes ? length : sizeof bytes;
    ssize_t count = pread64(from, bytes, wanted, offset);
    demand(count >= 0, "a file cannot be read");
    if (count == 0) return;
    demand(NEXT(pwrite64)(to, bytes, count, offset) == count, "what is on disk cannot be written");
    offset += count;
    length -= count;
  }
}

static void flush_names(const char *path) {
  struct stat status;
  demand(stat(path, &status) == 0, "a folder cannot be looked at");
  DIR *entries = opendir(path);
  demand(entries != NULL, "a folder cannot be read");
  int disk = open_disk(status.st_ino, ".names", O_WRONLY | O_TRUNC);
  for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (entry->d_type != DT_DIR && entry->d_type != DT_REG) continue;
    dprintf(disk, "%c %lu %s\n", entry->d_type == DT_DIR ? 'd' : 'f', (unsigned long)entry->d_ino, entry->d_name);
  }
  closedir(entries);
  NEXT(close)(disk);
}

static int keep_found(const char *path, const struct stat *status, int type, struct FTW *place) {
  (void)place;
  if (type == FTW_D) flush_names(path);
  if (type != FTW_F || !S_ISREG(status->st_mode)) return 0;
  int source = NEXT(open64)(path, O_RDONLY | O_CLOEXEC);
  int disk = open_disk(status->st_ino, "", O_RDWR | O_TRUNC);
  copy_range(source, disk, 0, status->st_size);
  NEXT(close)(source);
  NEXT(close)(disk);
  return 0;
}

__attribute__((constructor)) static void find_folder(void) {
  const char *wanted = getenv("DISK_FOLDER");
  if (wanted == NULL) return;
  folder_length = strlen(wanted);
  folder = wanted;
  const char *count = getenv("DISK_OPERATIONS");
  if (count != NULL) operations_max = atol(count);
  char disk[PATH_BYTES];
  snprintf(disk, sizeof disk, "%s.disk", folder);
  if (mkdir(disk, 0700) == 0) demand(nftw(folder, keep_found, 16, FTW_PHYS) == 0, "the folder cannot be read");
  else folder = NULL; /* A process that this one has started: what it does to the folder is not watched. */
}

static struct file *file_of(int descriptor) {
  return descriptor >= 0 && descriptor < DESCRIPTORS_MAX ? descriptors[descriptor].file : NULL;
}

static struct file *find_file(const char *path, int descriptor) {
  struct stat status;
  demand(fstat(descriptor, &status) == 0, "a file cannot be looked at");
  for (struct file *file = files; file != NULL; file = file->next)
    if (file->inode == status.st_ino) return file;
  struct file *file = calloc(1, sizeof *file);
  file->inode = status.st_ino;
  file->disk = open_disk(status.st_ino, "", O_RDWR);
  file->source = NEXT(open64)(path, O_RDONLY | O_CLOEXEC);
  demand(file->source >= 0, "a file cannot be opened");
  file->next = files;
  files = file;
  return file;
}

static void flush_pending(struct file *file) {
  if (getenv("DISK_IGNORES_FLUSHES")) return;
  struct stat status;
  demand(fstat(file->source, &status) == 0, "the size of a file is unknown");
  for (struct range *range = file->pending; range != NULL;) {
    struct range *next = range->next;
    copy_range(file->source, file->disk, range->offset, range->length);
    free(range);
    range = next;
  }
  file->pending = NULL;
  demand(NEXT(ftruncate64)(file->disk, status.st_size) == 0, "what is on disk cannot be resized");
}

static void written(int descriptor, off_t offset, ssize_t length) {
  struct file *file = file_of(descriptor);
  if (file == NULL || length <= 0) return;
  if (descriptors[descriptor].flushes) {
    /* Only this range: O_DSYNC says nothing of what other descriptors wrote. */
    if (!getenv("DISK_IGNORES_FLUSHES")) copy_range(file->source, file->disk, offset, length);
    return;
  }
  struct range *range = malloc(sizeof *range);
  *range = (struct range){offset, length, file->pending};
  file->pending = range;
}

static int open_watched(const char *path, int flags, mode_t mode) {
  int is_written = (flags & O_ACCMODE) != O_RDONLY;
  if (!is_written || !is_inside(path)) return NEXT(open64)(path, flags, mode);
  begin();
  int descriptor = NEXT(open64)(path, flags, mode);
  if (descriptor >= 0 && !is_readers(path)) {
    demand(descriptor < DESCRIPTORS_MAX, "too many descriptors");
    descriptors[descriptor].file = find_file(path, descriptor);
    descriptors[descriptor].flushes = (flags & (O_DSYNC | O_SYNC)) != 0;
  }
  end();
  return descriptor;
}

#define MODE(mode) \
  va_list rest; \
  va_start(rest, flags); \
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
  va_end(rest)

int open64(const char *path, int flags, ...) {
  MODE(mode);
  return open_watched(path, flags, mode);
}

int open(const char *path, int flags, ...) {
  MODE(mode);
  return open_watched(path, flags, mode);
}

int close(int descriptor) {
  if (file_of(descriptor) != NULL) descriptors[descriptor].file = NULL;
  return NEXT(close)(descriptor);
}

#define WRITTEN(descriptor, offset, call) \
  if (file_of(descriptor) == NULL) return call; \
  begin(); \
  off_t place = offset; \
  ssize_t count = call; \
  written(descriptor, place, count); \
  end(); \
  return count

/* Where a file is appended to, that is its end. */
static off_t place_of(int descriptor) {
  return lseek64(descriptor, 0, fcntl(descriptor, F_GETFL) & O_APPEND ? SEEK_END : SEEK_CUR);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset) {
  WRITTEN(descriptor, offset, NEXT(pwrite64)(descriptor, bytes, length, offset));
}

ssize_t pwritev64(int descriptor, const struct iovec *parts, int part_count, off64_t offset) {
  WRITTEN(descriptor, offset, NEXT(pwritev64)(descriptor, parts, part_count, offset));
}

ssize_t writev(int descriptor, const struct iovec *parts, int part_count) {
  WRITTEN(descriptor, place_of(descriptor), NEXT(writev)(descriptor, parts, part_count));
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
  WRITTEN(descriptor, place_of(descriptor), NEXT(write)(descriptor, bytes, length));
}

static int flush(int descriptor, int (*next)(int)) {
  if (folder == NULL) return next(descriptor);
  char link[64], path[PATH_BYTES];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return next(descriptor);
  path[length] = 0;
  struct stat status;
  int is_folder = fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode) && is_inside(path);
  if (!is_folder && file_of(descriptor) == NULL) return next(descriptor);
  begin();
  int result = next(descriptor);
  if (result == 0 && !is_folder) flush_pending(file_of(descriptor));
  else if (result == 0 && !getenv("DISK_IGNORES_FLUSHES")) flush_names(path);
  end();
  return result;
}

int fdatasync(int descriptor) { return flush(descriptor, NEXT(fdatasync)); }
int fsync(int descriptor) { return flush(descriptor, NEXT(fsync)); }

/* Its inode is not given to another file. */
static void hold(const char *path) {
  struct stat status;
  if (lstat(path, &status) == 0 && S_ISREG(status.st_mode)) NEXT(open64)(path, O_RDONLY | O_CLOEXEC);
}

#define NAMED(path, call) \
  if (!is_inside(path)) return call; \
  begin(); \
  hold(path); \
  int result = call; \
  end(); \
  return result

int rename(const char *former, const char *path) { NAMED(path, NEXT(rename)(former, path)); }
int unlink(const char *path) { NAMED(path, NEXT(unlink)(path)); }
int remove(const char *path) { NAMED(path, NEXT(remove)(path)); }
int rmdir(const char *path) { NAMED(path, NEXT(rmdir)(path)); }
int mkdir(const char *path, mode_t mode) { NAMED(path, NEXT(mkdir)(path, mode)); }

void *mmap64(void *place, size_t length, int protection, int flags, int descriptor, off64_t offset) {
  int is_shared = (flags & MAP_TYPE) == MAP_SHARED || (flags & MAP_TYPE) == MAP_SHARED_VALIDATE;
  demand(file_of(descriptor) == NULL || !(protection & PROT_WRITE) || !is_shared, "a file is written through memory");
  return NEXT(mmap64)(place, length, protection, flags, descriptor, offset);
}
