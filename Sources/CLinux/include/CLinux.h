// What Swift's Glibc module leaves out of Linux.
#ifndef FLIPSIDE_CLINUX_H
#define FLIPSIDE_CLINUX_H

#include <sys/epoll.h>
#include <sys/eventfd.h>

#endif
