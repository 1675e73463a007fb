/*
 * The parts of the C library that Swift's Glibc module leaves out: eventfd, which is what a port
 * is to a run loop on Linux, epoll, signalfd, and what the heap says of itself.
 */

#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
