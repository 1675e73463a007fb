/*
 * Places in the source, from debug information, by elfutils' libdw.
 *
 * Libdw is called by one thread at a time. Never by a child of a fork: another thread may have been
 * in it, or in the linker.
 */

#define _GNU_SOURCE

#include "debug_information.h"
#include "mappings.h"
#include "uncanceled.h"

#include <CRunLoopDiagnostics.h>

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct RLSourceLines {
    rl_dwfl *dwfl;
    pid_t process;
    struct rl_mappings mappings;
    /* Since the client was told. */
    bool has_changed;
};

static struct rl_dw dw;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded;
static pthread_mutex_t calls = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool is_child;

/* --- Loading --- */

static void leave_alone(void)
{
    atomic_store(&is_child, true);
}

static bool find_functions(void *library)
{
    bool has_all = true;
#define FIND(result, name, parameters)                                                             \
    {                                                                                              \
        void *address = dlsym(library, #name);                                                     \
        memcpy(&dw.name, &address, sizeof address);                                                \
        has_all = has_all && address;                                                              \
    }
    RL_DW_FUNCTIONS(FIND)
#undef FIND
    return has_all;
}

static int note_linker(struct dl_phdr_info *program, size_t size, void *context)
{
    (void)size;
    bool *has_linker = context;
    for (size_t i = 0; i < program->dlpi_phnum; i++) {
        if (program->dlpi_phdr[i].p_type == PT_INTERP) *has_linker = true;
    }
    /* The program is the first one, and the others do not matter. */
    return 1;
}

static void load(void)
{
    bool has_linker = false;
    (void)dl_iterate_phdr(note_linker, &has_linker);
    /* In a static program, libdw would run with a second C library, and crash. */
    if (!has_linker) return;
    if (pthread_atfork(NULL, NULL, leave_alone)) return;
    void *library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    is_loaded = library && find_functions(library);
}

/* --- Files --- */

/* Whether a separate file lies where the name in its program says, as the debuggers look for it. */
static bool has_linked_file(const char *program, const char *link)
{
    if (!program || !link) return false;
    const char *slash = strrchr(program, '/');
    if (!slash) return false;
    static const char *const forms[] = {"%s%.*s/%s", "%s%.*s/.debug/%s", "%s%.*s/%s"};
    static const char *const roots[] = {"", "", "/usr/lib/debug"};
    for (int i = 0; i < 3; i++) {
        char path[4096];
        int length =
            snprintf(path, sizeof path, forms[i], roots[i], (int)(slash - program), program, link);
        if (length < (int)sizeof path && access(path, R_OK) == 0) return true;
    }
    return false;
}

/*
 * The standard function asks servers in the network for what it does not find, which may take
 * minutes: it is called only where it finds something.
 */
static int find_debug_file(rl_dwfl_module *module, void **data, const char *name, uint64_t base,
                           const char *program, const char *link, uint32_t sum, char **ret_path)
{
    const char *servers = secure_getenv("DEBUGINFOD_URLS");
    bool asks_servers = servers && *servers;
    if (!asks_servers || has_linked_file(program, link)) {
        return dw.dwfl_standard_find_debuginfo(module, data, name, base, program, link, sum,
                                               ret_path);
    }
    return dw.dwfl_build_id_find_debuginfo(module, data, name, base, program, link, sum, ret_path);
}

/* --- What is loaded --- */

/*
 * Finds out what is loaded, and forgets all modules if one of them may not be any more: another one
 * may be at its addresses. Returns whether anything has changed.
 */
static bool update(RLSourceLinesRef self)
{
    struct rl_mappings now = {0};
    (void)rl_mappings_read(self->process, &now);
    bool stay = rl_mappings_are_among(&self->mappings, &now);
    bool has_changed = !stay || self->mappings.count < now.count;
    /* What a process that has ended had loaded stays known. */
    if (now.count == 0 || !has_changed) {
        rl_mappings_free(&now);
        return false;
    }
    rl_mappings_free(&self->mappings);
    self->mappings = now;
    self->has_changed = true;
    if (!stay) {
        dw.dwfl_report_begin(self->dwfl);
        (void)dw.dwfl_report_end(self->dwfl, NULL, NULL);
    }
    return true;
}

static rl_dwfl_module *add_module(RLSourceLinesRef self, const struct rl_mapping *mapping)
{
    int fd = rl_mapping_open(mapping, self->process);
    if (fd < 0) return NULL;
    uint64_t bias;
    rl_dwfl_module *module = NULL;
    if (rl_mapping_find_bias(fd, mapping, &bias)) {
        dw.dwfl_report_begin_add(self->dwfl);
        module = dw.dwfl_report_elf(self->dwfl, mapping->path, mapping->path, fd, bias, true);
        (void)dw.dwfl_report_end(self->dwfl, NULL, NULL);
    }
    if (!module) close(fd);
    return module;
}

static rl_dwfl_module *find_module(RLSourceLinesRef self, uint64_t address)
{
    rl_dwfl_module *module = dw.dwfl_addrmodule(self->dwfl, address);
    if (module) return module;
    const struct rl_mapping *mapping = rl_mappings_find(&self->mappings, address);
    /* Perhaps it was loaded later. */
    if (!mapping && update(self)) mapping = rl_mappings_find(&self->mappings, address);
    return mapping ? add_module(self, mapping) : NULL;
}

/* --- Looking up --- */

/* Where an address is: its unit, and the address in the file. */
struct spot {
    struct rl_dwarf_die *unit;
    uint64_t address;
};

enum { MOST_FRAMES = 64, DEEPEST = 256 };

struct found {
    RLSourceFrame frames[MOST_FRAMES];
    RLIndex count;
};

/* Not by the table of addresses for that, which clang and Swift do not write. */
static bool find_spot(RLSourceLinesRef self, uint64_t address, struct spot *ret_spot)
{
    rl_dwfl_module *module = find_module(self, address);
    if (!module) return false;
    uint64_t bias = 0;
    struct rl_dwarf_die *unit = NULL;
    while ((unit = dw.dwfl_module_nextcu(module, unit, &bias))) {
        if (dw.dwarf_haspc(unit, address - bias) != 1) continue;
        *ret_spot = (struct spot){unit, address - bias};
        return true;
    }
    return false;
}

/* Sets the place, unless the compiler has made it up. */
static void set_place(RLSourceFrame *frame, const char *file, int line)
{
    if (!file || line <= 0 || strstr(file, "<compiler-generated>")) return;
    /* What libdw says of the file without a number. */
    if (strcmp(file, "???") == 0) return;
    frame->file = file;
    frame->line = line;
}

static void set_line(RLSourceFrame *frame, rl_dwarf_line *line)
{
    int number = 0;
    if (!line || dw.dwarf_lineno(line, &number) != 0) return;
    set_place(frame, dw.dwarf_linesrc(line, NULL, NULL), number);
}

static const char *name_of(struct rl_dwarf_die *function)
{
    struct rl_dwarf_attribute attribute;
    const char *name = NULL;
    if (dw.dwarf_attr_integrate(function, RL_DW_AT_LINKAGE_NAME, &attribute)) {
        name = dw.dwarf_formstring(&attribute);
    }
    return name ? name : dw.dwarf_diename(function);
}

static uint64_t number_of(struct rl_dwarf_die *die, unsigned code)
{
    struct rl_dwarf_attribute attribute;
    uint64_t number = 0;
    if (!dw.dwarf_attr_integrate(die, code, &attribute)) return 0;
    return dw.dwarf_formudata(&attribute, &number) == 0 ? number : 0;
}

/*
 * Sets the place that an entry has in two attributes. Not by libdw's function for declarations,
 * which ends the process where most of a unit is in a file of its own.
 */
static void set_named_place(RLSourceFrame *frame, struct rl_dwarf_die *unit,
                            struct rl_dwarf_die *die, unsigned file_code, unsigned line_code)
{
    rl_dwarf_files *files;
    size_t count = 0;
    uint64_t file = number_of(die, file_code);
    if (dw.dwarf_getsrcfiles(unit, &files, &count) != 0 || file >= count) return;
    set_place(frame, dw.dwarf_filesrc(files, file, NULL, NULL), (int)number_of(die, line_code));
}

/* The functions around an address, of which each but the first is inlined into the one before. */
struct nest {
    /* What they are part of, and whose list of files they mean. */
    struct rl_dwarf_die unit;
    struct rl_dwarf_die functions[MOST_FRAMES];
    int count;
};

static bool may_hold_functions(int tag)
{
    switch (tag) {
    case RL_DW_TAG_CLASS_TYPE:
    case RL_DW_TAG_LEXICAL_BLOCK:
    case RL_DW_TAG_STRUCTURE_TYPE:
    case RL_DW_TAG_UNION_TYPE:
    case RL_DW_TAG_INLINED_SUBROUTINE:
    case RL_DW_TAG_MODULE:
    case RL_DW_TAG_SUBPROGRAM:
    case RL_DW_TAG_ENUMERATION_TYPE:
    case RL_DW_TAG_NAMESPACE: return true;
    default: return false;
    }
}

/*
 * Adds what is below an entry and around an address. Libdw's own search does not find functions of
 * Swift, nor what was inlined from another unit.
 */
static bool add_functions(struct nest *nest, struct rl_dwarf_die *above, uint64_t address,
                          int depth)
{
    struct rl_dwarf_die die;
    if (depth == DEEPEST || dw.dwarf_child(above, &die) != 0) return false;
    do {
        int tag = dw.dwarf_tag(&die);
        if (!may_hold_functions(tag)) continue;
        bool is_around = dw.dwarf_haspc(&die, address) == 1;
        bool is_inlined = tag == RL_DW_TAG_INLINED_SUBROUTINE;
        if (is_around && is_inlined && nest->count == 0) continue;
        if (is_around && (is_inlined || tag == RL_DW_TAG_SUBPROGRAM)) {
            if (nest->count == MOST_FRAMES) return true;
            nest->functions[nest->count++] = die;
        }
        if (add_functions(nest, &die, address, depth + 1) || is_around) return true;
    } while (dw.dwarf_siblingof(&die, &die) == 0);
    return false;
}

static void find_functions_around(const struct spot *spot, struct nest *nest)
{
    struct rl_dwarf_die split = {0};
    bool has_info =
        dw.dwarf_cu_info(spot->unit->unit, NULL, NULL, NULL, &split, NULL, NULL, NULL) == 0;
    /* Most of a unit may be in a file of its own. */
    nest->unit = has_info && split.address ? split : *spot->unit;
    nest->count = 0;
    (void)add_functions(nest, &nest->unit, spot->address, 0);
}

/* Sets the first line of the function that begins at an address. */
static void set_first_line(RLSourceFrame *frame, const struct spot *spot,
                           struct rl_dwarf_die *function)
{
    rl_dwarf_lines *lines;
    size_t count = 0;
    if (dw.dwarf_getsrclines(spot->unit, &lines, &count) != 0) return;
    for (size_t i = 0; i < count && !frame->file; i++) {
        rl_dwarf_line *line = dw.dwarf_onesrcline(lines, i);
        uint64_t address = 0;
        if (dw.dwarf_lineaddr(line, &address) != 0 || address < spot->address) continue;
        if (dw.dwarf_haspc(function, address) != 1) return;
        set_line(frame, line);
    }
}

/* Finds a function below an entry by the beginning of a name. */
static bool find_named(struct rl_dwarf_die *above, const char *name, size_t length,
                       struct rl_dwarf_die *ret_function, int depth)
{
    struct rl_dwarf_die die;
    if (depth == DEEPEST || dw.dwarf_child(above, &die) != 0) return false;
    do {
        int tag = dw.dwarf_tag(&die);
        if (!may_hold_functions(tag) || tag == RL_DW_TAG_INLINED_SUBROUTINE) continue;
        const char *own = tag == RL_DW_TAG_SUBPROGRAM ? name_of(&die) : NULL;
        if (own && strncmp(own, name, length) == 0 && own[length] == '\0') {
            *ret_function = die;
            return true;
        }
        if (find_named(&die, name, length, ret_function, depth + 1)) return true;
    } while (dw.dwarf_siblingof(&die, &die) == 0);
    return false;
}

/*
 * Sets the place of the closure that a function of Swift's compiler only passes a call on to: the
 * names of such functions are those of the closures, with an ending.
 */
static void set_target(RLSourceFrame *frame, struct nest *nest)
{
    size_t length = frame->function ? strlen(frame->function) : 0;
    if (length < 4 || strncmp(frame->function, "$s", 2) != 0) return;
    const char *ending = &frame->function[length - 2];
    if (strcmp(ending, "TA") != 0 && strcmp(ending, "To") != 0) return;
    struct rl_dwarf_die target;
    if (!find_named(&nest->unit, frame->function, length - 2, &target, 0)) return;
    set_named_place(frame, &nest->unit, &target, RL_DW_AT_DECL_FILE, RL_DW_AT_DECL_LINE);
}

/* A function by its address: where it is declared; what the compiler has made, by what it calls. */
static void find_function(const struct spot *spot, struct nest *nest, struct found *found)
{
    struct rl_dwarf_die *function = &nest->functions[0];
    RLSourceFrame *frame = &found->frames[0];
    *frame = (RLSourceFrame){.function = name_of(function)};
    set_named_place(frame, &nest->unit, function, RL_DW_AT_DECL_FILE, RL_DW_AT_DECL_LINE);
    if (!frame->file) set_first_line(frame, spot, function);
    if (!frame->file) set_target(frame, nest);
    found->count = 1;
}

/* An instruction: where each function was left for the next one. */
static void find_calls(const struct spot *spot, struct nest *nest, struct found *found)
{
    RLSourceFrame *frame = &found->frames[0];
    *frame = (RLSourceFrame){0};
    set_line(frame, dw.dwarf_getsrc_die(spot->unit, spot->address));
    while (nest->count > 0) {
        struct rl_dwarf_die *function = &nest->functions[--nest->count];
        frame->function = name_of(function);
        frame->isInlined = nest->count > 0;
        found->count++;
        uint64_t entry = 0;
        if (!frame->isInlined && dw.dwarf_entrypc(function, &entry) == 0) {
            frame->offset = spot->address - entry;
        }
        if (!frame->isInlined) return;
        *++frame = (RLSourceFrame){0};
        set_named_place(frame, &nest->unit, function, RL_DW_AT_CALL_FILE, RL_DW_AT_CALL_LINE);
    }
    /* Code of no function, as in assembler. */
    if (frame->file) found->count = 1;
}

static void find_frames(const struct spot *spot, struct found *found)
{
    struct nest nest;
    find_functions_around(spot, &nest);
    uint64_t entry = 0;
    bool is_entry = nest.count > 0 && dw.dwarf_entrypc(&nest.functions[0], &entry) == 0 &&
                    entry == spot->address;
    if (is_entry) {
        find_function(spot, &nest, found);
    } else {
        find_calls(spot, &nest, found);
    }
}

/* --- The functions of the header --- */

static size_t size_of(const char *text)
{
    return text ? strlen(text) + 1 : 0;
}

static const char *append(char **end, const char *text)
{
    if (!text) return NULL;
    char *copy = *end;
    *end = stpcpy(copy, text) + 1;
    return copy;
}

/* Frames and their texts, in one piece of memory. */
static RLSourceFrame *copy(const struct found *found)
{
    size_t size = (size_t)found->count * sizeof(RLSourceFrame);
    for (RLIndex i = 0; i < found->count; i++) {
        size += size_of(found->frames[i].function) + size_of(found->frames[i].file);
    }
    RLSourceFrame *frames = malloc(size);
    if (!frames) abort();
    char *end = (char *)&frames[found->count];
    for (RLIndex i = 0; i < found->count; i++) {
        frames[i] = found->frames[i];
        frames[i].function = append(&end, found->frames[i].function);
        frames[i].file = append(&end, found->frames[i].file);
    }
    return frames;
}

static void destroy(RLSourceLinesRef self)
{
    if (self->dwfl) dw.dwfl_end(self->dwfl);
    rl_mappings_free(&self->mappings);
    free(self);
}

static RLSourceLinesRef create(pid_t process)
{
    static const struct rl_dwfl_callbacks callbacks = {.find_debuginfo = find_debug_file};
    RLSourceLinesRef self = calloc(1, sizeof *self);
    if (!self) abort();
    self->process = process;
    self->dwfl = dw.dwfl_begin(&callbacks);
    if (self->dwfl && rl_mappings_read(process, &self->mappings)) return self;
    destroy(self);
    return NULL;
}

/* Returns whether libdw may be called, with its lock held if so. */
static bool begin_calls(void)
{
    RLSourceLinesLoad();
    if (atomic_load(&is_child) || !is_loaded) return false;
    pthread_mutex_lock(&calls);
    return true;
}

void RLSourceLinesLoad(void)
{
    RL_UNCANCELED_HERE;
    if (!atomic_load(&is_child)) pthread_once(&once, load);
}

RLSourceLinesRef RLSourceLinesCreate(SInt32 process)
{
    RL_UNCANCELED_HERE;
    if (!begin_calls()) return NULL;
    RLSourceLinesRef self = create(process);
    pthread_mutex_unlock(&calls);
    return self;
}

void RLSourceLinesDestroy(RLSourceLinesRef lines)
{
    RL_UNCANCELED_HERE;
    if (!lines || !begin_calls()) return;
    destroy(lines);
    pthread_mutex_unlock(&calls);
}

Boolean RLSourceLinesUpdate(RLSourceLinesRef lines)
{
    RL_UNCANCELED_HERE;
    if (!lines || !begin_calls()) return false;
    (void)update(lines);
    bool has_changed = lines->has_changed;
    lines->has_changed = false;
    pthread_mutex_unlock(&calls);
    return has_changed;
}

RLSourceLinesRef RLSourceLinesGetOwn(void)
{
    RL_UNCANCELED_HERE;
    static RLSourceLinesRef own;
    if (!begin_calls()) return NULL;
    if (own) {
        (void)update(own);
    } else {
        own = create(getpid());
    }
    RLSourceLinesRef result = own;
    pthread_mutex_unlock(&calls);
    return result;
}

RLSourceFrame *RLSourceLinesCopyFrames(RLSourceLinesRef lines, UInt64 address, RLIndex *ret_count)
{
    RL_UNCANCELED_HERE;
    *ret_count = 0;
    if (!lines || !begin_calls()) return NULL;
    struct spot spot;
    struct found found = {.count = 0};
    if (find_spot(lines, address, &spot)) find_frames(&spot, &found);
    RLSourceFrame *frames = found.count > 0 ? copy(&found) : NULL;
    pthread_mutex_unlock(&calls);
    *ret_count = found.count;
    return frames;
}
