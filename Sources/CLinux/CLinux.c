#define _GNU_SOURCE
#include <malloc.h>
#include "CLinux.h"

int flipside_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data.u64 = token};
    return epoll_ctl(epoll, operation, descriptor, &event);
}

int flipside_accept(int listener, struct sockaddr_storage *address) {
    socklen_t size = sizeof *address;
    return accept4(listener, (struct sockaddr *)address, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int flipside_socket(int family) { return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); }

int flipside_event(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

ssize_t flipside_receive(int descriptor, void *bytes, size_t count) {
    return recv(descriptor, bytes, count, MSG_DONTWAIT);
}

ssize_t flipside_send(int descriptor, const void *bytes, size_t count) {
    return send(descriptor, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
}

ssize_t flipside_heap_used(void) {
    struct mallinfo2 info = mallinfo2();
    return (ssize_t)(info.uordblks + info.hblkhd);
}

void flipside_heap_trim(void) {
    malloc_trim(0);
}
