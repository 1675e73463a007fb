/*
 * The names of functions.
 */

#include "scenario.h"

#include <CRunLoop/RLRunLoopWrapping.h>
#include <CRunLoop/RLTesting.h>
#include <stdatomic.h>

#include "system_calls.h"

#include <elf.h>
#include <sys/mman.h>

static void tick_privately(RLRunLoopTimerRef timer, void *info)
{
}

static void named_private_functions(void)
{
    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(NULL, 1, 0, 0, 0, tick_privately, NULL);
    RLStringRef text = RLCopyDescription(timer);
    const char *characters = RLStringGetCStringPtr(text, kRLStringEncodingUTF8);
    note_answer("named", characters && strstr(characters, "callout = tick_privately (0x"));
    RLRelease(text);
    RLRelease(timer);
}
SCENARIO(named_private_functions,
         .title = "A description names a callout that is not exported",
         .clauses = "DESC-3",
         .rl_only = true,
         .expected = "named: yes")

static void names_looked_up_once(void)
{
    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(NULL, 1, 0, 0, 0, tick_privately, NULL);
    __block int opened = 0;

    call_answer count = ^long(const long *arguments) {
        opened++;
        return let_through;
    };
    answer_call(SYS_openat, count);
#if defined(SYS_open)
    answer_call(SYS_open, count);
#endif
    for (int round = 0; round < 3; round++) {
        RLRelease(RLCopyDescription(timer));
        note("%d", opened);
    }
    RLRelease(timer);
}
SCENARIO(names_looked_up_once,
         .title = "A callout's name is looked up in the program's file once, however often described",
         .clauses = "DESC-5",
         .rl_only = true,
         .own_process = true,
         .expected = "1; 1; 1")

/** A library with a function: an unused part of the C library. */
static const char *const library_name = "libBrokenLocale.so.1";
static const char *const function_name = "__ctype_get_mb_cur_max";

/** Makes a source that a library serves, and unloads the library when nothing uses it any more. */
static void use_library(RLRunLoopRef loop)
{
    void *library = dlopen(library_name, RTLD_NOW);
    void *function = dlsym(library, function_name);
    RLRunLoopSourceContext context = {.version = 0};
    memcpy(&context.perform, &function, sizeof function);
    RLRunLoopSourceRef source = RLRunLoopSourceCreate(NULL, 0, &context);
    RLRunLoopAddSource(loop, source, kRLRunLoopDefaultMode);
    RLRunLoopSourceInvalidate(source);
    RLRelease(source);
    dlclose(library);
}

static void names_while_unloading(void)
{
    RLRunLoopRef loop = this_loop();
    __block atomic_bool is_over = false;
    struct helper_thread *user = start_thread(^{
        for (int round = 0; round < 200; round++) use_library(loop);
        is_over = true;
    });

    while (!is_over) RLRelease(RLCopyDescription(loop));
    join_thread(user);
}
SCENARIO(names_while_unloading,
         .title = "A loop is described while libraries of its sources are loaded and unloaded",
         .clauses = "DESC-3 DESC-5",
         .rl_only = true,
         .own_process = true,
         .expected = "")

static char *copy_name(void *function)
{
    UInt64 offset;
    char *file;
    char *name = RLSymbolCopyName(function, &offset, &file);
    free(file);
    return name;
}

/** As if a library's file were another build's: changes a byte that is never read. */
__attribute__((no_sanitize("thread"))) static void make_another_build(void *function)
{
    Dl_info info;
    check(dladdr(function, &info));
    check(mprotect(info.dli_fbase, 1, PROT_READ | PROT_WRITE) == 0);
    ((char *)info.dli_fbase)[EI_NIDENT - 1] ^= 1;
}

static void name_in_replaced_file(void)
{
    void *library = dlopen(library_name, RTLD_NOW);
    void *function = library ? dlsym(library, function_name) : NULL;
    char *name = copy_name(function);

    note_answer("named", name);
    free(name);
    make_another_build(function);
    name = copy_name(function);
    note_answer("named by another build", name);
    free(name);
}
SCENARIO(name_in_replaced_file,
         .title = "A function has no name if its file was replaced by that of another build",
         .clauses = "DESC-3",
         .rl_only = true,
         .own_process = true,
         .expected = "named: yes; named by another build: no")

static void name_of_program(void)
{
    static int data;
    char *name = copy_name(&data);

    note_answer("named", name);
    free(name);
}
SCENARIO(name_of_program,
         .title = "Data of the program, such as a Swift class, has a name too",
         .clauses = "extension",
         .rl_only = true,
         .expected = "named: yes")
