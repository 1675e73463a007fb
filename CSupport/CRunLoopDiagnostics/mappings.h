/*
 * The code that a process has loaded: parts of the files of its program and of its libraries, in
 * the order of their addresses.
 */

#ifndef RL_MAPPINGS_H
#define RL_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/* A part of a file. */
struct rl_mapping {
    uint64_t begin, end;
    /* Where it begins in the file. */
    uint64_t offset;
    uint64_t inode;
    /* When the file was changed, if it still is at the path. */
    struct timespec changed;
    /* As the kernel writes it, for which another file may be there. */
    char *path;
};

struct rl_mappings {
    struct rl_mapping *all;
    size_t count;
};

/* Adds those of a process. Returns whether it is there and may be looked into. */
bool rl_mappings_read(pid_t process, struct rl_mappings *ret_mappings);

void rl_mappings_free(struct rl_mappings *mappings);

/* Returns whether all of some mappings are among others, wherever the files are now. */
bool rl_mappings_are_among(const struct rl_mappings *some, const struct rl_mappings *others);

/* Returns the one that has an address, or null. */
const struct rl_mapping *rl_mappings_find(const struct rl_mappings *mappings, uint64_t address);

/* Opens the file of a mapping of a process. Returns -1 if that is not possible. */
int rl_mapping_open(const struct rl_mapping *mapping, pid_t process);

/* Finds out what is added to the addresses in a file where it is loaded. */
bool rl_mapping_find_bias(int fd, const struct rl_mapping *mapping, uint64_t *ret_bias);

#endif
