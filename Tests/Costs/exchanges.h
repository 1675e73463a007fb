/*
 * Echoes of 100 connections that ask at once, and messages from another process: so many of them.
 */

#ifndef EXCHANGES_H
#define EXCHANGES_H

void echo_by_sockets(long count);
void echo_by_sources(long count);
void echo_by_streams(long count);
void echo_by_clients(long count);

void send_one_way(long count);
void send_and_await(long count);
void send_large_and_await(long count);

#endif
