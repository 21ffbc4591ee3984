/*
 * Makes a process's disk fail, for tests: preload it with LD_PRELOAD.
 * DISK_FAULTS_IN: fails writes to files whose path contains this text.
 * DISK_FAULTS_WHILE: only while this file exists.
 * DISK_FAULTS_KIND: "io" (EIO), "full" (ENOSPC), or "short" (writes half, then fails).
 * DISK_FAULTS_EVERY: one call in so many fails, at random.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int fails(int fd) {
  const char *in = getenv("DISK_FAULTS_IN"), *only = getenv("DISK_FAULTS_WHILE"), *every = getenv("DISK_FAULTS_EVERY");
  static unsigned seed = 0;
  char link[64], path[4096];
  if (in == NULL || only == NULL || every == NULL || access(only, F_OK) != 0) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  if (strstr(path, in) == NULL) return 0;
  if (seed == 0) seed = (unsigned)getpid() ^ (unsigned)time(NULL);
  return rand_r(&seed) % atoi(every) == 0;
}

static int is_kind(const char *kind) {
  const char *set = getenv("DISK_FAULTS_KIND");
  return set != NULL && strcmp(set, kind) == 0;
}

static void set_error(void) {
  errno = is_kind("full") ? ENOSPC : EIO;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t count) {
  if (fd > 2 && fails(fd)) {
    if (is_kind("short")) REAL(write)(fd, bytes, count / 2);
    set_error();
    return -1;
  }
  return REAL(write)(fd, bytes, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  if (fails(fd)) {
    if (is_kind("short")) REAL(pwrite)(fd, bytes, count / 2, offset);
    set_error();
    return -1;
  }
  return REAL(pwrite)(fd, bytes, count, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  if (fails(fd)) {
    if (is_kind("short")) REAL(pwrite64)(fd, bytes, count / 2, offset);
    set_error();
    return -1;
  }
  return REAL(pwrite64)(fd, bytes, count, offset);
}

int fsync(int fd) {
  if (fails(fd)) {
    set_error();
    return -1;
  }
  return REAL(fsync)(fd);
}

int fdatasync(int fd) {
  if (fails(fd)) {
    set_error();
    return -1;
  }
  return REAL(fdatasync)(fd);
}

int ftruncate(int fd, off_t length) {
  if (fails(fd)) {
    set_error();
    return -1;
  }
  return REAL(ftruncate)(fd, length);
}

int ftruncate64(int fd, off64_t length) {
  if (fails(fd)) {
    set_error();
    return -1;
  }
  return REAL(ftruncate64)(fd, length);
}
