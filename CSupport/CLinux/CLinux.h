/*
 * The parts of the C library that Swift's Glibc module does not contain: eventfd (the ports of run
 * loops on Linux), epoll, signalfd, and the heap statistics.
 */

#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
