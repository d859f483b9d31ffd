/* SPDX-License-Identifier: Apache-2.0
 * preload.c - a machine on which something fails, for tb/faults/faults.py: LD_PRELOAD and FAULTS=KIND:N.
 *
 *   malloc:N   the N-th allocation fails           malloc:N+   it and all after it
 *   sqlite:N   the same, but of the allocations of SQLite, which malloc leaves out
 *   disk:N     after N bytes in files there is no space     short:N   a write takes at most N bytes
 *   eintr:N    every N-th read, write and wait is interrupted before it has done anything
 *   rename:N   the N-th rename fails               sync:N      the N-th fsync fails
 *   clock:N    from the N-th look on the time of day is an hour earlier
 *   none:0     nothing, but counts
 *
 * Calls of the C library's own streams are not calls that a library before it can replace.  So the kernel
 * is asked (seccomp) to hand the system calls of files back, to a handler for SIGSYS; the handler's own calls
 * have a mark in an argument that those calls do not use.  Only the program FAULTS_IN meets faults, not what it
 * starts.  At exit a line "KIND struck counted" is added to
 * the file FAULTS_LOG.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#else
#error "preload.c knows the registers of x86-64 and AArch64 alone"
#endif

enum { MARK = 0x5afe5afe };
enum kind { NONE, MALLOC, SQLITE, DISK, SHORT, EINTR_, RENAME, SYNC, CLOCK, KINDS };
static const char *const names[KINDS] = {"none", "malloc", "sqlite", "disk", "short", "eintr", "rename", "sync", "clock"};

static enum kind kind;
static unsigned long wanted;
static int for_ever;
static _Atomic unsigned long *both; /* of the program and all that it forks: how many events, how many failed */
#define counted both[0]
#define struck both[1]
static int ready;
static pid_t first; /* the program itself, who writes the log */

/* -- memory: the allocator of the C library under its own names ---------------------------------------- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

/* True if this event is one that fails. */
static int fails(void)
{
    unsigned long n = atomic_fetch_add(&both[0], 1) + 1;
    if (!wanted || (n != wanted && !(for_ever && n > wanted)))
        return 0;
    atomic_fetch_add(&both[1], 1);
    return 1;
}

/* Where code lies whose allocations are apart: SQLite's; libconfig's, which looks at none of them and crashes, the
 * dynamic linker's and those of C++, in Verilated models, which give up, or crash (their strdup()): of those nothing is
 * to be learnt. */
static struct apart {
    const char *name;
    enum kind kind;
    uintptr_t from, to;
} apart[] = {{"libsqlite3", SQLITE, 0, 0}, {"libconfig", NONE, 0, 0}, {"ld-linux", NONE, 0, 0},
             {"libstdc++", NONE, 0, 0}, {"/rtl/", NONE, 0, 0}};
enum { APART = sizeof apart / sizeof *apart };

static int find_apart(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    for (int k = 0; k < APART; k++)
        for (int p = 0; strstr(info->dlpi_name, apart[k].name) && p < info->dlpi_phnum; p++)
            if (info->dlpi_phdr[p].p_flags & PF_X) {
                apart[k].from = info->dlpi_addr + info->dlpi_phdr[p].p_vaddr;
                apart[k].to = apart[k].from + info->dlpi_phdr[p].p_memsz;
            }
    return 0;
}

static int starved(const void *caller)
{
    enum kind whose = MALLOC;
    for (int k = 0; k < APART; k++)
        if ((uintptr_t)caller >= apart[k].from && (uintptr_t)caller < apart[k].to)
            whose = apart[k].kind;
    if (!ready || whose == NONE || kind != whose || !fails())
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return starved(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return starved(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return starved(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

/* What it brings may be apart, too. */
void *dlopen(const char *file, int mode)
{
    static void *(*real)(const char *, int);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "dlopen");
    void *lib = real(file, mode);
    dl_iterate_phdr(find_apart, NULL);
    return lib;
}

/* Here for the sake of its caller, who would else seem to be the C library. */
static char *copy_of(const char *text, const void *caller)
{
    size_t size = strlen(text) + 1;
    char *copy = starved(caller) ? NULL : __libc_malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

char *strdup(const char *text)
{
    return copy_of(text, __builtin_return_address(0));
}

char *__strdup(const char *text);
char *__strdup(const char *text)
{
    return copy_of(text, __builtin_return_address(0));
}

/* -- calls that go through the library's table ----------------------------------------------------------- */

static int interrupted(void)
{
    unsigned long n;
    if (!ready || kind != EINTR_)
        return 0;
    n = atomic_fetch_add(&both[0], 1) + 1;
    if (!wanted || n % wanted)
        return 0;
    atomic_fetch_add(&both[1], 1);
    return 1;
}

ssize_t read(int fd, void *to, size_t size)
{
    if (interrupted()) {
        errno = EINTR;
        return -1;
    }
    return syscall(SYS_read, fd, to, size, 0, 0, MARK);
}

pid_t waitpid(pid_t pid, int *status, int options)
{
    if (interrupted()) {
        errno = EINTR;
        return -1;
    }
    return (pid_t)syscall(SYS_wait4, pid, status, options, NULL, 0, MARK);
}

static int64_t back(void)
{
    if (!ready || kind != CLOCK)
        return 0;
    unsigned long n = atomic_fetch_add(&both[0], 1) + 1;
    if (!wanted || n < wanted)
        return 0;
    atomic_fetch_add(&both[1], 1);
    return 3600;
}

int clock_gettime(clockid_t which, struct timespec *t)
{
    int bad = (int)syscall(SYS_clock_gettime, which, t);
    if (!bad && which == CLOCK_REALTIME)
        t->tv_sec -= back();
    return bad;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    t->tv_sec = now.tv_sec;
    t->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *t)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (t)
        *t = now.tv_sec;
    return now.tv_sec;
}

/* -- system calls of files, which the kernel hands back ---------------------------------------------------- */

static long again(long number, const long *a)
{
    long got = syscall(number, a[0], a[1], a[2], a[3], a[4], MARK);
    return got == -1 ? -errno : got;
}

static int is_file(long fd)
{
    struct stat there;
    return fstat((int)fd, &there) == 0 && S_ISREG(there.st_mode);
}

/* A write of `size` bytes, which stands in a[2]. */
static long write_some(long number, long *a)
{
    unsigned long size = (unsigned long)a[2];

    if (a[0] > STDERR_FILENO && interrupted()) /* a line on stderr must come out to be read */
        return -EINTR;
    if (kind == SHORT && size > wanted) {
        atomic_fetch_add(&both[1], 1);
        a[2] = (long)wanted;
    }
    if (kind == DISK && is_file(a[0])) {
        unsigned long before = atomic_fetch_add(&both[0], size);
        if (before + size > wanted) {
            atomic_fetch_add(&both[1], 1);
            if (before >= wanted)
                return -ENOSPC;
            a[2] = (long)(wanted - before); /* as a kernel does: what there is room for */
        }
    }
    return again(number, a);
}

static long handed_back(long number, long *a)
{
    switch (number) {
    case SYS_write:
    case SYS_pwrite64:
        return write_some(number, a);
    case SYS_fsync:
    case SYS_fdatasync:
        return kind == SYNC && fails() ? -EIO : again(number, a);
#ifdef SYS_rename
    case SYS_rename:
#endif
    case SYS_renameat:
    case SYS_renameat2:
        return kind == RENAME && fails() ? -ENOSPC : again(number, a);
    case SYS_ftruncate: /* room that a file asks for */
        return again(number, a);
    default:
        return -ENOSYS;
    }
}

static void on_call(int signal, siginfo_t *info, void *context)
{
    int error = errno;
#if defined(__x86_64__)
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    long a[6] = {r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10], r[REG_R8], 0};
    r[REG_RAX] = handed_back(info->si_syscall, a);
#else
    unsigned long long *r = ((ucontext_t *)context)->uc_mcontext.regs;
    long a[6] = {(long)r[0], (long)r[1], (long)r[2], (long)r[3], (long)r[4], 0};
    r[0] = (unsigned long long)handed_back(info->si_syscall, a);
#endif
    (void)signal;
    errno = error;
}

#define HAND_BACK(call) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP)

static int ask_kernel(int filtered)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[5])), /* its low half */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MARK, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        HAND_BACK(SYS_write),
        HAND_BACK(SYS_pwrite64),
        HAND_BACK(SYS_fsync),
        HAND_BACK(SYS_fdatasync),
#ifdef SYS_rename
        HAND_BACK(SYS_rename),
#endif
        HAND_BACK(SYS_renameat),
        HAND_BACK(SYS_renameat2),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    struct sigaction act;

    memset(&act, 0, sizeof act);
    act.sa_sigaction = on_call;
    act.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
    return sigaction(SIGSYS, &act, NULL) || (filtered && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)));
}

__attribute__((constructor)) static void begin(void)
{
    const char *only = getenv("FAULTS_IN"), *plan = getenv("FAULTS"), *colon = plan ? strchr(plan, ':') : NULL;

    for (int k = 0; colon && k < KINDS; k++)
        if (strlen(names[k]) == (size_t)(colon - plan) && strncmp(names[k], plan, strlen(names[k])) == 0)
            kind = (enum kind)k;
    /* What the program starts, too, has its calls handed back, but nothing fails there. */
    int helper = only && strcmp(only, program_invocation_short_name) != 0;
    if (!colon || ask_kernel(!helper)) {
        fprintf(stderr, "preload: no FAULTS, or the kernel hands no calls back\n");
        _exit(99);
    }
    both = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (helper || both == MAP_FAILED) {
        kind = NONE;
        return;
    }
    wanted = strtoul(colon + 1, NULL, 10);
    dl_iterate_phdr(find_apart, NULL);
    for_ever = strchr(colon, '+') != NULL;
    first = getpid();
    ready = 1;
}

__attribute__((destructor)) static void end(void)
{
    const char *log = getenv("FAULTS_LOG");
    char line[80];
    int fd, length;

    if (!ready || !log || getpid() != first)
        return;
    ready = 0;
    length = snprintf(line, sizeof line, "%s %lu %lu\n", names[kind], struck, counted);
    fd = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd >= 0) {
        syscall(SYS_write, fd, line, (size_t)length, 0, 0, MARK);
        close(fd);
    }
}
