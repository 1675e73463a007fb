/*
 * The parts of the C library that Swift's Glibc module leaves out: eventfd, which is what a port
 * is to a run loop on Linux, and epoll.
 */

#include <sys/epoll.h>
#include <sys/eventfd.h>
