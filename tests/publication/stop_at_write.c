/* Ends the process at a chosen call that changes a watched file: before the call, or with half of
   what it would have written. Loaded in front of libc by stopped.py. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static long armed = 0, calls = 0;
static int tears = 0;
static char watched[4096];

/* From now on count the calls on files whose path begins so, and end at the nth (0: never). */
void tanon_arm(const char *path, long nth, int with_half)
{
    strncpy(watched, path, sizeof watched - 1);
    armed = nth;
    tears = with_half;
    __atomic_store_n(&calls, 0, __ATOMIC_SEQ_CST);
}

long tanon_calls(void) { return calls; }

static int is_watched_path(const char *path)
{
    return watched[0] && strncmp(path, watched, strlen(watched)) == 0;
}

static int is_watched(int fd)
{
    char link[64], path[4096];
    if (!watched[0]) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n < 0) return 0;
    path[n] = 0;
    return is_watched_path(path);
}

static int is_last(void) { return __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST) == armed; }
static void end(void) { kill(getpid(), SIGKILL); for (;;) pause(); }

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define WRITES_AT(name, offset_type) \
    ssize_t name(int fd, const void *from, size_t n, offset_type at) \
    { \
        if (is_watched(fd) && is_last()) { if (tears) REAL(name)(fd, from, n / 2, at); end(); } \
        return REAL(name)(fd, from, n, at); \
    }
WRITES_AT(pwrite, off_t)
WRITES_AT(pwrite64, off64_t)

ssize_t write(int fd, const void *from, size_t n)
{
    if (is_watched(fd) && is_last()) { if (tears) REAL(write)(fd, from, n / 2); end(); }
    return REAL(write)(fd, from, n);
}

#define ENDS_BEFORE(name, parameters, given, seen) \
    int name parameters \
    { \
        if (seen && is_last()) end(); \
        return REAL(name) given; \
    }
ENDS_BEFORE(fsync, (int fd), (fd), is_watched(fd))
ENDS_BEFORE(fdatasync, (int fd), (fd), is_watched(fd))
ENDS_BEFORE(ftruncate, (int fd, off_t n), (fd, n), is_watched(fd))
ENDS_BEFORE(ftruncate64, (int fd, off64_t n), (fd, n), is_watched(fd))
ENDS_BEFORE(unlink, (const char *path), (path), is_watched_path(path))
ENDS_BEFORE(remove, (const char *path), (path), is_watched_path(path))
ENDS_BEFORE(rename, (const char *from, const char *to), (from, to), is_watched_path(from))
