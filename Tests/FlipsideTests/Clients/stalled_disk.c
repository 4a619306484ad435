// Preloaded into a hub: while a certain file exists, no sync returns.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_for_disk(void) {
    const char *stall = getenv("FLIPSIDE_TEST_STALL");
    while (stall && access(stall, F_OK) == 0) usleep(1000);
}

int fsync(int descriptor) {
    wait_for_disk();
    return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(descriptor);
}

int fdatasync(int descriptor) {
    wait_for_disk();
    return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(descriptor);
}
