/*
 * The parts of the C library that Swift's Glibc module lacks: eventfd, the ports of run loops on
 * Linux, epoll, signalfd, and the statistics of the heap.
 */

#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
