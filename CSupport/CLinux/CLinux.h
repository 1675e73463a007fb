/*
 * The parts of the C library that Swift's Glibc module does not contain: eventfd, epoll, signalfd,
 * and the heap statistics.
 */

#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
