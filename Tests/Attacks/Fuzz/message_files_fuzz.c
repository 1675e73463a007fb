/*
 * Files that other processes of the user may leave in the folder of message ports, or pass as the
 * memory file of a message.
 */

#include "base/system.h"

#include "messages/message_name.h"
#include "messages/message_transfer.h"

#include <CHarness.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

/* Copies a name out of the input, which has no NUL then. */
static void copy_name(char *name, size_t room, const uint8_t *bytes, size_t size)
{
    size_t length = size < room ? size : room - 1;
    for (size_t i = 0; i < length; i++) name[i] = bytes[i] ? (char)bytes[i] : '0';
    name[length] = '\0';
}

/* The file of a name is one file in the folder, and of no other name. */
static void check_name(const uint8_t *bytes, size_t size)
{
    char name[RL_MESSAGE_NAME_MAX + 1], other[RL_MESSAGE_NAME_MAX + 1];
    copy_name(name, sizeof name, bytes, size);
    copy_name(other, sizeof other, bytes, size > 0 ? size - 1 : 0);
    char file[RL_MESSAGE_FILE_SIZE], other_file[RL_MESSAGE_FILE_SIZE];
    rl_message_name_encode(name, file);
    rl_message_name_encode(other, other_file);
    CHECK(strlen(file) < sizeof file - 1 && !strchr(file, '/') && file[0] != '.');
    CHECK((strcmp(name, other) == 0) == (strcmp(file, other_file) == 0));
}

/* A memory file of any size with any seals is accepted only if it is as announced. */
static void check_memory_file(const uint8_t *bytes, size_t size)
{
    if (size < 3) return;
    size_t promised = bytes[0] | (size_t)bytes[1] << 8;
    int seals = bytes[2] & (F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
    int file = memfd_create("fuzz", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return;
    CHECK(write(file, bytes + 3, size - 3) == (ssize_t)(size - 3));
    if (bytes[2] & 0x80) CHECK(ftruncate(file, (off_t)promised) == 0);
    CHECK(fcntl(file, F_ADD_SEALS, seals) == 0);
    uint8_t *taken = rl_transfer_map(file, promised);
    if (taken) {
        size_t given = size - 3 < promised ? size - 3 : promised;
        CHECK(memcmp(taken, bytes + 3, given) == 0);
    }
    if (taken) munmap(taken, promised);
    close(file);
}

/*
 * A file of any name in the folder keeps no port from having a name, unless it is the very lock,
 * and that is held.
 */
static void check_folder(const uint8_t *bytes, size_t size)
{
    char path[] = "/tmp/message_files_fuzz.XXXXXX";
    CHECK(mkdtemp(path));
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char foreign[100];
    copy_name(foreign, sizeof foreign, bytes, size);
    for (char *at = foreign; *at; at++) {
        if (*at == '/') *at = '_';
    }
    bool is_usable = strcmp(foreign, ".") != 0 && strcmp(foreign, "..") != 0 && foreign[0];
    int made = is_usable ? openat(folder, foreign, O_CREAT | O_RDWR | O_CLOEXEC, 0600) : -1;
    char file[RL_MESSAGE_FILE_SIZE];
    rl_message_name_encode("port", file);
    rl_message_name_sweep(folder);
    /* Only locks are swept, with what belongs to them. */
    if (made >= 0 && foreign[0] != 'l') CHECK(faccessat(folder, foreign, F_OK, 0) == 0);
    int lock = rl_message_name_lock(folder, file);
    CHECK(lock >= 0 && rl_message_name_is_locked(folder, file, lock));
    rl_message_name_remove(folder, file);
    close(lock);
    if (made >= 0) close(made);
    if (made >= 0) unlinkat(folder, foreign, 0);
    close(folder);
    CHECK(count_entries(path) == 0 && rmdir(path) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    if (size == 0) return 0;
    static void (*const kinds[])(const uint8_t *bytes,
                                 size_t size) = {check_name, check_memory_file, check_folder};
    kinds[input[0] % 3](input + 1, size - 1);
    return 0;
}
