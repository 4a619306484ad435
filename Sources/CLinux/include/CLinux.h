// What Swift's Glibc module lacks of Linux, with functions for its macros and unions.
#ifndef FLIPSIDE_CLINUX_H
#define FLIPSIDE_CLINUX_H

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

/// Adds, changes or removes (`EPOLL_CTL_...`) `descriptor`. Its events return `token`. 0, or -1 and errno.
int flipside_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t token);

/// The next connection of `listener`, non-blocking and closed on exec; -1 and errno if there is none.
int flipside_accept(int listener, struct sockaddr_storage *address);

/// A non-blocking TCP socket for `family`, closed on exec; -1 and errno.
int flipside_socket(int family);

/// An eventfd that starts at 0, non-blocking and closed on exec; -1 and errno.
int flipside_event(void);

/// Like `recv` and `send`, but never blocking. Sending to a peer that is gone returns EPIPE and raises no signal.
ssize_t flipside_receive(int descriptor, void *bytes, size_t count);
ssize_t flipside_send(int descriptor, const void *bytes, size_t count);

/// Bytes that are allocated and not freed (glibc's mallinfo2, over all arenas).
ssize_t flipside_heap_used(void);

/// Returns freed memory that the allocator keeps to the system.
void flipside_heap_trim(void);

#endif
