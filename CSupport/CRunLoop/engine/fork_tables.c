/*
 * The tables that a fork locks, in the order of locks.
 */

#include "base/fork.h"
#include "messages/mach_port.h"
#include "messages/message_port.h"
#include "notifications/notification_center.h"
#include "run/loop_fork.h"
#include "run/tracer.h"
#include "sockets/host_lookup.h"
#include "sockets/socket.h"
#include "tls/openssl.h"
#include "values/time_zone.h"

const struct rl_fork_table rl_fork_tables[RL_FORK_TABLES] = {
    {
        .prepare = rl_socket_table_prepare_fork,
        .go_on_in_parent = rl_socket_table_unlock_after_fork,
        .settle_child = rl_socket_table_unlock_after_fork,
    },
    {
        .prepare = rl_lookup_prepare_fork,
        .go_on_in_parent = rl_lookup_unlock_after_fork,
        .settle_child = rl_lookup_settle_child,
    },
    {
        .prepare = rl_message_table_prepare_fork,
        .go_on_in_parent = rl_message_table_unlock_after_fork,
        .settle_child = rl_message_table_settle_child,
    },
    {
        .prepare = rl_mach_table_prepare_fork,
        .go_on_in_parent = rl_mach_table_unlock_after_fork,
        .settle_child = rl_mach_table_settle_child,
    },
    {
        .prepare = rl_trace_prepare_fork,
        .go_on_in_parent = rl_trace_unlock_after_fork,
        .settle_child = rl_trace_unlock_after_fork,
    },
    {
        .prepare = rl_loop_fork_prepare,
        .go_on_in_parent = rl_loop_fork_go_on_in_parent,
        .settle_child = rl_loop_fork_settle_child,
    },
    {
        .prepare = rl_openssl_prepare_fork,
        .go_on_in_parent = rl_openssl_go_on_in_parent,
        .settle_child = rl_openssl_settle_child,
    },
    {
        .prepare = rl_notification_centers_prepare_fork,
        .go_on_in_parent = rl_notification_centers_unlock_after_fork,
        .settle_child = rl_notification_centers_unlock_after_fork,
    },
    {
        .prepare = rl_time_zone_prepare_fork,
        .go_on_in_parent = rl_time_zone_unlock_after_fork,
        .settle_child = rl_time_zone_unlock_after_fork,
    },
};
