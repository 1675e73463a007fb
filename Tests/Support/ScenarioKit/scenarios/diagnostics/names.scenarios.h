/*
 * The names of functions, and who added an item.
 */

#include <CRunLoop/RLRunLoopWrapping.h>
#include <CRunLoop/RLTesting.h>

#include "system_calls.h"

#include <elf.h>
#include <sys/mman.h>

static void tick_privately(timer_ref timer, void *info)
{
}

static void named_private_functions(void)
{
    timer_ref timer = RLRunLoopTimerCreate(NULL, 1, 0, 0, 0, tick_privately, NULL);
    RLStringRef text = RLCopyDescription(timer);
    const char *characters = RLStringGetCStringPtr(text, kRLStringEncodingUTF8);
    tell("named", characters && strstr(characters, "callout = tick_privately (0x"));
    RLRelease(text);
    RLRelease(timer);
}
SCENARIO(named_private_functions,
         .title = "A description names a callout that is not exported",
         .clauses = "DESC-3",
         .expected = "named: yes")

static void names_looked_up_once(void)
{
    timer_ref timer = RLRunLoopTimerCreate(NULL, 1, 0, 0, 0, tick_privately, NULL);
    __block int opened = 0;

    answer_call(SYS_openat, ^long(const long *arguments) {
        opened++;
        return let_through;
    });
    for (int round = 0; round < 3; round++) {
        RLRelease(RLCopyDescription(timer));
        note("%d", opened);
    }
    RLRelease(timer);
}
SCENARIO(names_looked_up_once,
         .title = "A callout's name is looked up in the program's file once, however often described",
         .clauses = "DESC-5",
         .own_process = true,
         .expected = "1; 1; 1")

/** A library with a function: a part of the C library that nobody uses. */
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

/** As if a library's file were that of another build: nobody reads the byte that is changed. */
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

    tell("named", name);
    free(name);
    make_another_build(function);
    name = copy_name(function);
    tell("named by another build", name);
    free(name);
}
SCENARIO(name_in_replaced_file,
         .title = "A function has no name if its file was replaced by that of another build",
         .clauses = "DESC-3",
         .own_process = true,
         .expected = "named: yes; named by another build: no")

static void name_of_program(void)
{
    static int data;
    char *name = copy_name(&data);

    tell("named", name);
    free(name);
}
SCENARIO(name_of_program,
         .title = "Data of the program has a name, too, as a class of Swift's is",
         .clauses = "extension",
         .expected = "named: yes")

/** Whether debug builds know of an item that this function has added it, and others nothing. */
static bool is_added_by(RLTypeRef item, const char *function)
{
    const void *adder = RLRunLoopGetAdderOfItem(item);
    if (!RLTestingIsAvailable()) return !adder;
    UInt64 offset;
    char *file;
    char *name = adder ? RLSymbolCopyName(adder, &offset, &file) : NULL;
    bool is_right = name && strcmp(name, function) == 0;
    if (!is_right) note("%s in place of %s", name ? name : "nobody", function);
    if (adder) free(file);
    free(name);
    return is_right;
}

/** Is not start_thread(), where threads begin. */
static __attribute__((noinline)) void start_thread_timer(timer_ref timer)
{
    RLRunLoopAddTimer(this_loop(), timer, kRLRunLoopCommonModes);
    __asm__ volatile("");
}

static __attribute__((noinline)) void schedule_here(RLReadStreamRef stream)
{
    RLReadStreamScheduleWithRunLoop(stream, this_loop(), RLSTR("stream"));
    __asm__ volatile("");
}

static void look_at_adder(const RLRunLoopItemState *item, void *info)
{
    *(int *)info += is_added_by(item->item, "schedule_here");
}

static void adders(void)
{
    timer_ref timer = RLRunLoopTimerCreate(NULL, 1e10, 0, 0, 0, tick_privately, NULL);
    check(!RLRunLoopGetAdderOfItem(timer));
    /* Nor is the program a library of Swift's. */
    program_invocation_name = "/home/libswift-app/program";
    start_thread_timer(timer);
    tell("first", is_added_by(timer, "start_thread_timer"));
    RLRunLoopAddTimer(this_loop(), timer, RLSTR("another"));
    tell("still", is_added_by(timer, "start_thread_timer"));
    RLRunLoopRemoveTimer(this_loop(), timer, RLSTR("another"));
    RLRunLoopRemoveTimer(this_loop(), timer, kRLRunLoopCommonModes);
    RLRunLoopAddTimer(this_loop(), timer, kRLRunLoopDefaultMode);
    tell("anew", is_added_by(timer, "adders"));
    RLRunLoopTimerInvalidate(timer);
    RLRelease(timer);

    RLReadStreamRef reading;
    RLWriteStreamRef writing;
    RLStreamCreateBoundPair(NULL, &reading, &writing, 16);
    schedule_here(reading);
    int count = 0;
    RLRunLoopVisitItems(this_loop(), RLSTR("stream"), look_at_adder, &count);
    tell("by the engine", count > 0);
    RLReadStreamClose(reading);
    RLRelease(reading);
    RLRelease(writing);
}
SCENARIO(adders,
         .title = "Debug builds know the call that added an item when it was in no mode",
         .clauses = "extension",
         .own_process = true,
         .expected = "first: yes; still: yes; anew: yes; by the engine: yes")

#if defined(__x86_64__) && defined(__GLIBC__)

static timer_ref coroutines_timer;

static void add_on_coroutine(void)
{
    start_thread_timer(coroutines_timer);
}

/** Code without frame pointers has anything in the register for them, here the end of a mapping. */
static void adder_on_coroutine(void)
{
    const size_t size = 262144, page = 4096;
    ucontext_t thread, coroutine;
    char *stack =
        mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    check(stack != MAP_FAILED && mprotect(stack + size, page, PROT_NONE) == 0);
    coroutines_timer = RLRunLoopTimerCreate(NULL, 1e10, 0, 0, 0, tick_privately, NULL);
    getcontext(&coroutine);
    coroutine.uc_stack.ss_sp = stack;
    coroutine.uc_stack.ss_size = size;
    coroutine.uc_link = &thread;
    makecontext(&coroutine, add_on_coroutine, 0);
    coroutine.uc_mcontext.gregs[REG_RBP] = (greg_t)(stack + size);
    swapcontext(&thread, &coroutine);
    tell("added", is_added_by(coroutines_timer, "start_thread_timer"));
    RLRunLoopTimerInvalidate(coroutines_timer);
    RLRelease(coroutines_timer);
    munmap(stack, size + page);
}
SCENARIO(adder_on_coroutine,
         .title = "Debug builds know who added an item on the stack of a coroutine, too",
         .clauses = "extension",
         .expected = "added: yes")

#endif
