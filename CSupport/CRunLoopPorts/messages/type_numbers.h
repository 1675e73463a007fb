/*
 * The numbers of the types of ports and notification centers.
 */

#ifndef RL_MESSAGE_TYPE_NUMBERS_H
#define RL_MESSAGE_TYPE_NUMBERS_H

#include "base/object.h"

enum {
    RL_TYPE_MESSAGE_PORT = RL_TYPES_OF_MESSAGES,
    RL_TYPE_MACH_PORT,
    RL_TYPE_NOTIFICATION_CENTER,
};

#endif
