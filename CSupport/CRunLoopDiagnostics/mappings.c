/*
 * What is loaded, as /proc/PID/maps has it. Only code counts: whoever reads the names in a file,
 * such as libdw, may map all of it, right before where it is loaded.
 */

#define _GNU_SOURCE

#include "mappings.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads a line. Returns whether it is code of a file, whose path stays in the line. */
static bool read_mapping(char *line, struct rl_mapping *ret_mapping)
{
    char execute = 0;
    int length = 0;
    int count = sscanf(line, "%" SCNx64 "-%" SCNx64 " %*2c%c%*c %" SCNx64 " %*x:%*x %" SCNu64 " %n",
                       &ret_mapping->begin, &ret_mapping->end, &execute, &ret_mapping->offset,
                       &ret_mapping->inode, &length);
    ret_mapping->path = &line[length];
    line[strcspn(line, "\n")] = '\0';
    return count == 5 && execute == 'x' && ret_mapping->path[0] == '/';
}

static void add_mapping(struct rl_mappings *mappings, struct rl_mapping mapping)
{
    size_t size = (mappings->count + 1) * sizeof mapping;
    mappings->all = realloc(mappings->all, size);
    mapping.path = strdup(mapping.path);
    if (!mappings->all || !mapping.path) abort();
    struct stat status;
    bool is_there = stat(mapping.path, &status) == 0 && status.st_ino == mapping.inode;
    mapping.changed = is_there ? status.st_mtim : (struct timespec){0};
    mappings->all[mappings->count++] = mapping;
}

void rl_mappings_free(struct rl_mappings *mappings)
{
    for (size_t i = 0; i < mappings->count; i++) free(mappings->all[i].path);
    free(mappings->all);
}

bool rl_mappings_read(pid_t process, struct rl_mappings *ret_mappings)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/maps", (int)process);
    FILE *file = fopen(path, "re");
    if (!file) return false;
    char *line = NULL;
    size_t size = 0;
    struct rl_mapping mapping;
    while (getline(&line, &size, file) > 0) {
        if (read_mapping(line, &mapping)) add_mapping(ret_mappings, mapping);
    }
    free(line);
    fclose(file);
    return true;
}

/* Returns whether the file of two mappings was written anew between them, as far as is known. */
static bool was_written(const struct rl_mapping *one, const struct rl_mapping *other)
{
    if (!one->changed.tv_sec || !other->changed.tv_sec) return false;
    return one->changed.tv_sec != other->changed.tv_sec ||
           one->changed.tv_nsec != other->changed.tv_nsec;
}

/* Not by path: a file that is renamed or deleted stays where it is mapped. */
static bool is_same(const struct rl_mapping *one, const struct rl_mapping *other)
{
    return one->begin == other->begin && one->end == other->end && one->offset == other->offset &&
           one->inode == other->inode && !was_written(one, other);
}

bool rl_mappings_are_among(const struct rl_mappings *some, const struct rl_mappings *others)
{
    size_t found = 0;
    for (size_t i = 0; i < others->count && found < some->count; i++) {
        if (is_same(&some->all[found], &others->all[i])) found++;
    }
    return found == some->count;
}

const struct rl_mapping *rl_mappings_find(const struct rl_mappings *mappings, uint64_t address)
{
    for (size_t i = 0; i < mappings->count; i++) {
        const struct rl_mapping *mapping = &mappings->all[i];
        if (address >= mapping->begin && address < mapping->end) return mapping;
    }
    return NULL;
}

/* Returns the number that /proc has for a file, which some file systems show nowhere else. */
static uint64_t inode_in_mappings(int fd)
{
    void *page = mmap(NULL, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
    if (page == MAP_FAILED) return 0;
    struct rl_mappings own = {0};
    (void)rl_mappings_read(getpid(), &own);
    const struct rl_mapping *mapping = rl_mappings_find(&own, (uintptr_t)page);
    uint64_t inode = mapping ? mapping->inode : 0;
    rl_mappings_free(&own);
    munmap(page, 1);
    return inode;
}

/* Opens a file if it is the one that is mapped. */
static int open_if_mapped(const char *path, const struct rl_mapping *mapping)
{
    struct stat status;
    /* Opening a device may have effects. */
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return -1;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    if (fstat(fd, &status) == 0 && status.st_ino == mapping->inode) return fd;
    if (inode_in_mappings(fd) == mapping->inode) return fd;
    close(fd);
    return -1;
}

/*
 * Opens the file of a mapping: in the root folder that the process has, which may be in a container
 * of its own; in this one's, which shows the path if the root of the process is a folder of it; or
 * a deleted one, which the kernel may let nobody open.
 */
int rl_mapping_open(const struct rl_mapping *mapping, pid_t process)
{
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "/proc/%d/root%s", (int)process, mapping->path);
    int fd = open_if_mapped(path, mapping);
    if (fd < 0) fd = open_if_mapped(mapping->path, mapping);
    if (fd >= 0) return fd;
    snprintf(path, sizeof path, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)process,
             mapping->begin, mapping->end);
    return open_if_mapped(path, mapping);
}

bool rl_mapping_find_bias(int fd, const struct rl_mapping *mapping, uint64_t *ret_bias)
{
    ElfW(Ehdr) head;
    if (pread(fd, &head, sizeof head, 0) != sizeof head) return false;
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return false;
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    for (unsigned i = 0; i < head.e_phnum; i++) {
        ElfW(Phdr) part;
        off_t place = (off_t)(head.e_phoff + i * sizeof part);
        if (pread(fd, &part, sizeof part, place) != sizeof part) return false;
        if (part.p_type != PT_LOAD || !(part.p_flags & PF_X)) continue;
        if (mapping->offset < part.p_offset / page * page) continue;
        if (mapping->offset >= part.p_offset + part.p_filesz) continue;
        *ret_bias = mapping->begin - mapping->offset + part.p_offset - part.p_vaddr;
        return true;
    }
    return false;
}
