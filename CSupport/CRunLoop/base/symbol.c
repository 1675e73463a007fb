/*
 * Finds the names of addresses. The dynamic linker knows exported symbols only, so the file's own
 * symbol table comes first, if it has one.
 */

#include "base/system.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The demanglers of Swift and C++, if their runtimes are loaded. The caller frees what they return.
 */
char *swift_demangle(const char *name, size_t length, char *buffer, size_t *size, uint32_t flags)
    __attribute__((weak));
char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status)
    __attribute__((weak));

struct file {
    const unsigned char *bytes;
    size_t size;
};

static bool map_file(const char *path, struct file *ret_file)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    struct stat status;
    void *bytes = MAP_FAILED;
    if (fstat(fd, &status) == 0 && status.st_size >= (off_t)sizeof(ElfW(Ehdr))) {
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    close(fd);
    if (bytes == MAP_FAILED) return false;
    *ret_file = (struct file){bytes, (size_t)status.st_size};
    return true;
}

/* Returns the bytes at an offset, or null if the file ends before. */
static const void *at(const struct file *file, size_t offset, size_t size)
{
    return offset <= file->size && size <= file->size - offset ? file->bytes + offset : NULL;
}

static const ElfW(Shdr) * section(const struct file *file, const ElfW(Ehdr) * head, size_t index)
{
    if (index >= head->e_shnum || head->e_shentsize != sizeof(ElfW(Shdr))) return NULL;
    return at(file, head->e_shoff + index * sizeof(ElfW(Shdr)), sizeof(ElfW(Shdr)));
}

/* Returns the name of the function that contains the address, for the caller to free. */
static char *find_in_table(const struct file *file, const ElfW(Shdr) * table,
                           const ElfW(Shdr) * names, uintptr_t address, UInt64 *ret_offset)
{
    const ElfW(Sym) *symbols = at(file, table->sh_offset, table->sh_size);
    const char *strings = at(file, names->sh_offset, names->sh_size);
    if (!symbols || !strings || names->sh_size == 0) return NULL;
    if (strings[names->sh_size - 1] != '\0') return NULL;
    for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
        const ElfW(Sym) *symbol = &symbols[i];
        /* The type is in the same place in files of 32 and 64 bits. */
        if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_name >= names->sh_size) {
            continue;
        }
        if (address < symbol->st_value || address - symbol->st_value >= symbol->st_size) continue;
        *ret_offset = address - symbol->st_value;
        return strdup(strings + symbol->st_name);
    }
    return NULL;
}

static char *find_in_file(const char *path, uintptr_t address, UInt64 *ret_offset)
{
    struct file file;
    if (!map_file(path, &file)) return NULL;
    char *name = NULL;
    const ElfW(Ehdr) *head = at(&file, 0, sizeof *head);
    bool is_elf = memcmp(head->e_ident, ELFMAG, SELFMAG) == 0;
    for (size_t i = 0; is_elf && !name && i < head->e_shnum; i++) {
        const ElfW(Shdr) *table = section(&file, head, i);
        if (!table || table->sh_type != SHT_SYMTAB) continue;
        const ElfW(Shdr) *names = section(&file, head, table->sh_link);
        if (names) name = find_in_table(&file, table, names, address, ret_offset);
    }
    munmap((void *)(uintptr_t)file.bytes, file.size);
    return name;
}

/* Swift names the file of what is private: `(f in _8A…)` becomes `f`, `(in _8A…).init` `init`. */
static void drop_files(char *name)
{
    for (char *in = name; (in = strstr(in, "in _"));) {
        size_t digits = strspn(in + 4, "0123456789ABCDEF");
        char *open = in, *rest = in + 4 + digits;
        while (open > name && *open != '(' && *open != ')') open--;
        if (digits < 16 || *rest != ')' || *open != '(') {
            in += 4;
            continue;
        }
        rest++;
        size_t kept = (size_t)(in - open) - 1;
        if (kept > 0) kept--;
        if (kept == 0 && *rest == '.') rest++;
        memmove(open, open + 1, kept);
        memmove(open + kept, rest, strlen(rest) + 1);
        in = open + kept;
    }
}

/* Returns the demangled name, and frees the mangled one. */
static char *readable(char *name)
{
    char *better = NULL;
    bool is_swift = strncmp(name, "$s", 2) == 0 || strncmp(name, "$S", 2) == 0;
    if (is_swift && &swift_demangle) {
        better = swift_demangle(name, strlen(name), NULL, NULL, 0);
        if (better) drop_files(better);
    } else if (strncmp(name, "_Z", 2) == 0 && &__cxa_demangle) {
        better = __cxa_demangle(name, NULL, NULL, NULL);
    }
    if (!better) return name;
    free(name);
    return better;
}

/* The program or library in which an address is. */
struct object {
    uintptr_t address;
    /* What the linker has added to the addresses in the file. */
    uintptr_t base;
    /* The path, empty for the program; null if there is no such file. */
    const char *path;
};

static int find_object(struct dl_phdr_info *info, size_t size, void *found)
{
    (void)size;
    struct object *object = found;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD || object->address - begin >= part->p_memsz) continue;
        object->base = info->dlpi_addr;
        object->path = info->dlpi_name ? info->dlpi_name : "";
        return 1;
    }
    return 0;
}

char *RLSymbolCopyName(const void *address, UInt64 *ret_offset, char **ret_file)
{
    Dl_info found = {0};
    struct object object = {.address = (uintptr_t)address};
    *ret_offset = 0;
    *ret_file = NULL;
    if (!dladdr(address, &found) || dl_iterate_phdr(find_object, &object) == 0) return NULL;
    *ret_file = found.dli_fname ? strdup(found.dli_fname) : NULL;
    *ret_offset = (uintptr_t)address - (uintptr_t)found.dli_fbase;
    /* The linker has no path of the program itself. */
    const char *path = object.path[0] ? object.path : "/proc/self/exe";
    char *name = find_in_file(path, (uintptr_t)address - object.base, ret_offset);
    if (!name && found.dli_sname) {
        *ret_offset = (uintptr_t)address - (uintptr_t)found.dli_saddr;
        name = strdup(found.dli_sname);
    }
    return name ? readable(name) : NULL;
}
