/* The dynamic linker knows only exported symbols, so this file reads the tables of ELF files. */

#include "base/system.h"

#include "report/symbol.h"

#include "base/kernel.h"
#include "base/uncanceled.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* Null if the C++ runtime is not loaded. The caller frees the result. */
char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status)
    __attribute__((weak));

static const RLLanguage *_Atomic language;

struct file {
    const unsigned char *bytes;
    size_t size;
};

static bool map_file(const char *path, struct file *ret_file)
{
    int fd = rl_kernel_keep(RL_UNCANCELED(open(path, O_RDONLY | O_CLOEXEC)));
    if (fd < 0) return false;
    struct stat status;
    void *bytes = MAP_FAILED;
    if (fstat(fd, &status) == 0 && status.st_size >= (off_t)sizeof(ElfW(Ehdr))) {
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    RL_UNCANCELED(close(fd));
    if (bytes == MAP_FAILED) return false;
    *ret_file = (struct file){bytes, (size_t)status.st_size};
    return true;
}

/* Returns a pointer to the bytes at an offset, or null if the file is too short. */
static const void *bytes_at(const struct file *file, size_t offset, size_t size)
{
    return offset <= file->size && size <= file->size - offset ? file->bytes + offset : NULL;
}

static const ElfW(Shdr) * section_at(const struct file *file, const ElfW(Ehdr) * head, size_t index)
{
    if (index >= head->e_shnum || head->e_shentsize != sizeof(ElfW(Shdr))) return NULL;
    return bytes_at(file, head->e_shoff + index * sizeof(ElfW(Shdr)), sizeof(ElfW(Shdr)));
}

/* A query by name, or by an address inside a function or inside data such as class metadata. */
struct wanted {
    uintptr_t address;
    const char *name;
    size_t length;
};

struct symbol {
    uintptr_t address;
    /* The name, which points into the mapped file. */
    const char *name;
};

static bool is_wanted(const struct wanted *wanted, const ElfW(Sym) * symbol, const char *name)
{
    /* `st_info` is the same in 32-bit and 64-bit files. */
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    if (type != STT_FUNC && type != STT_OBJECT) return false;
    if (!wanted->name) return wanted->address - symbol->st_value < symbol->st_size;
    return strncmp(name, wanted->name, wanted->length) == 0 && name[wanted->length] == '\0';
}

static bool find_in_table(const struct file *file, const ElfW(Shdr) * table,
                          const ElfW(Shdr) * names, const struct wanted *wanted,
                          struct symbol *ret_symbol)
{
    const ElfW(Sym) *symbols = bytes_at(file, table->sh_offset, table->sh_size);
    const char *strings = bytes_at(file, names->sh_offset, names->sh_size);
    if (!symbols || !strings || names->sh_size == 0) return false;
    if (strings[names->sh_size - 1] != '\0') return false;
    for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
        if (symbols[i].st_name >= names->sh_size) continue;
        const char *name = strings + symbols[i].st_name;
        if (!is_wanted(wanted, &symbols[i], name)) continue;
        *ret_symbol = (struct symbol){symbols[i].st_value, name};
        return true;
    }
    return false;
}

static bool find_in_tables(const struct file *file, unsigned type, const struct wanted *wanted,
                           struct symbol *ret_symbol)
{
    const ElfW(Ehdr) *head = bytes_at(file, 0, sizeof *head);
    if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return false;
    for (size_t i = 0; i < head->e_shnum; i++) {
        const ElfW(Shdr) *table = section_at(file, head, i);
        if (!table || table->sh_type != type) continue;
        const ElfW(Shdr) *names = section_at(file, head, table->sh_link);
        if (names && find_in_table(file, table, names, wanted, ret_symbol)) return true;
    }
    return false;
}

/* A stripped file has only the dynamic symbol table. */
static bool find_in_file(const struct file *file, const struct wanted *wanted,
                         struct symbol *ret_symbol)
{
    return find_in_tables(file, SHT_SYMTAB, wanted, ret_symbol) ||
           find_in_tables(file, SHT_DYNSYM, wanted, ret_symbol);
}

char *RLSymbolCopyReadableName(const char *name)
{
    char *better = NULL;
    const RLLanguage *other = atomic_load(&language);
    if (strncmp(name, "_Z", 2) == 0 && &__cxa_demangle) {
        better = __cxa_demangle(name, NULL, NULL, NULL);
    } else if (other) {
        better = other->copyReadableName(name);
    }
    return better ? better : strdup(name);
}

void RLSymbolSetLanguage(const RLLanguage *to_set)
{
    atomic_store(&language, to_set);
}

void rl_symbol_shorten_name(char *name)
{
    const RLLanguage *other = atomic_load(&language);
    if (other) other->shortenName(name);
}

struct object {
    uintptr_t begin;
    uintptr_t end;
    /* The address in memory minus the address in the file. */
    uintptr_t base;
    /* The path of the file; empty for the program, and without a slash for the vDSO. */
    const char *path;
};

/*
 * If another thread holds a lock of the dynamic linker during a fork, the lock stays locked in the
 * child. So a child must call neither dladdr() nor dl_iterate_phdr(). Since version 2.35, the GNU C
 * library has a lookup without locks, _dl_find_object. In musl, fork() handles these locks.
 */
#if defined(DLFO_STRUCT_HAS_EH_DBASE)

static bool find_object(const void *address, struct object *ret_object)
{
    struct dl_find_object found;
    if (_dl_find_object((void *)(uintptr_t)address, &found) != 0) return false;
    ret_object->begin = (uintptr_t)found.dlfo_map_start;
    ret_object->end = (uintptr_t)found.dlfo_map_end;
    ret_object->base = found.dlfo_link_map->l_addr;
    ret_object->path = found.dlfo_link_map->l_name;
    return true;
}

#else

struct search {
    uintptr_t address;
    struct object *object;
};

static int compare_object(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct search *search = context;
    uintptr_t begin = UINTPTR_MAX, end = 0;
    bool is_found = false;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD) continue;
        uintptr_t address = info->dlpi_addr + part->p_vaddr;
        if (search->address - address < part->p_memsz) is_found = true;
        if (address < begin) begin = address;
        if (address + part->p_memsz > end) end = address + part->p_memsz;
    }
    if (!is_found) return 0;
    const char *path = info->dlpi_name ? info->dlpi_name : "";
    *search->object = (struct object){begin, end, info->dlpi_addr, path};
    return 1;
}

static bool find_object(const void *address, struct object *ret_object)
{
    struct search search = {(uintptr_t)address, ret_object};
    return dl_iterate_phdr(compare_object, &search) != 0;
}

#endif

/* The memory has the ELF headers and, usually, the build ID. */
struct beginning {
    unsigned char bytes[4096];
};

/*
 * The kernel copies the memory, because another thread may unload the object. The result is empty
 * if the memory does not begin with an ELF header.
 */
static struct file read_beginning(const struct object *object, struct beginning *beginning)
{
    size_t size = object->end - object->begin;
    struct iovec to = {beginning, size < sizeof *beginning ? size : sizeof *beginning};
    struct iovec from = {(void *)object->begin, to.iov_len};
    ssize_t count = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
    bool is_there = count >= SELFMAG && memcmp(beginning, ELFMAG, SELFMAG) == 0;
    return is_there ? (struct file){beginning->bytes, (size_t)count} : (struct file){0};
}

/*
 * Returns false if the file has replaced the file from which the object was loaded. The headers in
 * memory equal the headers in the file, unless their segment is writable.
 */
static bool is_loaded_from(const struct object *object, const struct file *file)
{
    struct beginning storage;
    struct file beginning = read_beginning(object, &storage);
    const ElfW(Ehdr) *head = bytes_at(&beginning, 0, sizeof *head);
    for (size_t i = 0; head && i < head->e_phnum; i++) {
        size_t place = head->e_phoff + i * sizeof(ElfW(Phdr));
        const ElfW(Phdr) *part = bytes_at(&beginning, place, sizeof *part);
        if (!part || part->p_type != PT_LOAD || part->p_offset != 0) continue;
        size_t size = part->p_filesz < beginning.size ? part->p_filesz : beginning.size;
        const void *bytes = bytes_at(file, 0, size);
        return part->p_flags & PF_W || (bytes && memcmp(bytes, beginning.bytes, size) == 0);
    }
    return true;
}

static void use_file(const struct object *object, void (^use)(const struct file *file))
{
    struct file file;
    bool is_program = object->path[0] == '\0';
    /* The vDSO is not a file, and the path of an object that is being unloaded may be freed. */
    if (!is_program && !strchr(object->path, '/')) return;
    const char *path = is_program ? "/proc/self/exe" : object->path;
    /* /proc/self/exe is unreadable after the main thread's end. Emulators support no other link. */
    bool is_mapped =
        map_file(path, &file) || (is_program && map_file("/proc/thread-self/exe", &file));
    if (!is_mapped) return;
    if (is_program || is_loaded_from(object, &file)) use(&file);
    munmap((void *)(uintptr_t)file.bytes, file.size);
}

char *RLSymbolCopyName(const void *address, UInt64 *ret_offset, char **ret_file)
{
    struct object object;
    *ret_offset = 0;
    *ret_file = NULL;
    if (!find_object(address, &object)) return NULL;
    *ret_file = strdup(object.path[0] ? object.path : program_invocation_name);
    *ret_offset = (uintptr_t)address - object.begin;
    const struct wanted wanted = {.address = (uintptr_t)address - object.base};
    __block char *name = NULL;
    use_file(&object, ^(const struct file *file) {
        struct symbol symbol;
        if (!find_in_file(file, &wanted, &symbol)) return;
        *ret_offset = wanted.address - symbol.address;
        name = RLSymbolCopyReadableName(symbol.name);
    });
    return name;
}

/* Swift's thunks, with these suffixes, only call another function. */
static bool passes_on(const char *name, size_t length)
{
    if (length < 4 || strncmp(name, "$s", 2) != 0) return false;
    return strcmp(&name[length - 2], "TA") == 0 || strcmp(&name[length - 2], "To") == 0;
}

const void *RLSymbolGetClosure(const void *address)
{
    struct object object;
    if (!find_object(address, &object)) return address;
    const struct wanted wanted = {.address = (uintptr_t)address - object.base};
    __block const void *closure = address;
    use_file(&object, ^(const struct file *file) {
        struct symbol symbol;
        if (!find_in_file(file, &wanted, &symbol)) return;
        size_t length = strlen(symbol.name);
        const struct wanted body = {.name = symbol.name, .length = length - 2};
        if (!passes_on(symbol.name, length) || !find_in_file(file, &body, &symbol)) return;
        closure = (const void *)(object.base + symbol.address);
    });
    return closure;
}
