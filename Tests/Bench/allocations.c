// Preloaded into a hub: counts allocations in the eight bytes of the file ALLOCATIONS.
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic uint64_t *count;

__attribute__((constructor)) static void begin(void) {
    void *page = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, open(getenv("ALLOCATIONS"), O_RDWR), 0);
    if (page == MAP_FAILED) abort();
    count = page;
}

static void note(void) {
    if (count) atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
}

void *malloc(size_t size) { return note(), __libc_malloc(size); }
void *calloc(size_t number, size_t size) { return note(), __libc_calloc(number, size); }
void *realloc(void *old, size_t size) { return note(), __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { return note(), __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **made, size_t alignment, size_t size) {
    *made = memalign(alignment, size);
    return *made ? 0 : 12;
}
