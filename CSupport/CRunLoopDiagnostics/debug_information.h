/*
 * The functions of elfutils' libdw, found at run time: a program that is never asked for lines
 * needs no library, and building needs no headers. Its binary interface is versioned; all of these
 * are in it since 0.171.
 */

#ifndef RL_DEBUG_INFORMATION_H
#define RL_DEBUG_INFORMATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct rl_dwfl rl_dwfl;
typedef struct rl_dwfl_module rl_dwfl_module;
typedef struct rl_dwarf_line rl_dwarf_line;
typedef struct rl_dwarf_lines rl_dwarf_lines;
typedef struct rl_dwarf_files rl_dwarf_files;
typedef struct rl_elf rl_elf;

/* An entry of the debug information, such as a function. */
struct rl_dwarf_die {
    void *address;
    void *unit;
    void *abbreviation;
    long padding;
};

struct rl_dwarf_attribute {
    unsigned code;
    unsigned form;
    unsigned char *value;
    void *unit;
};

typedef int rl_find_elf(rl_dwfl_module *, void **, const char *, uint64_t, char **, rl_elf **);
typedef int rl_find_debuginfo(rl_dwfl_module *, void **, const char *, uint64_t, const char *,
                              const char *, uint32_t, char **);

struct rl_dwfl_callbacks {
    rl_find_elf *find_elf;
    rl_find_debuginfo *find_debuginfo;
    int (*section_address)(void);
    char **debuginfo_path;
};

enum {
    RL_DW_TAG_CLASS_TYPE = 0x02,
    RL_DW_TAG_ENUMERATION_TYPE = 0x04,
    RL_DW_TAG_LEXICAL_BLOCK = 0x0B,
    RL_DW_TAG_STRUCTURE_TYPE = 0x13,
    RL_DW_TAG_UNION_TYPE = 0x17,
    RL_DW_TAG_INLINED_SUBROUTINE = 0x1D,
    RL_DW_TAG_MODULE = 0x1E,
    RL_DW_TAG_SUBPROGRAM = 0x2E,
    RL_DW_TAG_NAMESPACE = 0x39,
    RL_DW_AT_DECL_FILE = 0x3A,
    RL_DW_AT_DECL_LINE = 0x3B,
    RL_DW_AT_CALL_FILE = 0x58,
    RL_DW_AT_CALL_LINE = 0x59,
    RL_DW_AT_LINKAGE_NAME = 0x6E,
};

/* Result, name, parameters. */
/* clang-format off */
#define RL_DW_FUNCTIONS(each)                                                                      \
    each(rl_dwfl *, dwfl_begin, (const struct rl_dwfl_callbacks *))                                \
    each(void, dwfl_end, (rl_dwfl *))                                                              \
    each(void, dwfl_report_begin, (rl_dwfl *))                                                     \
    each(int, dwfl_report_end, (rl_dwfl *, void *, void *))                                        \
    each(void, dwfl_report_begin_add, (rl_dwfl *))                                                 \
    each(rl_dwfl_module *, dwfl_report_elf, (rl_dwfl *, const char *, const char *, int, uint64_t, \
                                             bool))                                                \
    each(int, dwfl_standard_find_debuginfo, (rl_dwfl_module *, void **, const char *, uint64_t,    \
                                             const char *, const char *, uint32_t, char **))       \
    each(int, dwfl_build_id_find_debuginfo, (rl_dwfl_module *, void **, const char *, uint64_t,    \
                                             const char *, const char *, uint32_t, char **))       \
    each(rl_dwfl_module *, dwfl_addrmodule, (rl_dwfl *, uint64_t))                                 \
    each(struct rl_dwarf_die *, dwfl_module_nextcu, (rl_dwfl_module *, struct rl_dwarf_die *,      \
                                                     uint64_t *))                                  \
    each(int, dwarf_haspc, (struct rl_dwarf_die *, uint64_t))                                      \
    each(int, dwarf_entrypc, (struct rl_dwarf_die *, uint64_t *))                                  \
    each(int, dwarf_cu_info, (void *, uint16_t *, uint8_t *, struct rl_dwarf_die *,                \
                              struct rl_dwarf_die *, uint64_t *, uint8_t *, uint8_t *))            \
    each(int, dwarf_child, (struct rl_dwarf_die *, struct rl_dwarf_die *))                         \
    each(int, dwarf_siblingof, (struct rl_dwarf_die *, struct rl_dwarf_die *))                     \
    each(int, dwarf_tag, (struct rl_dwarf_die *))                                                  \
    each(struct rl_dwarf_attribute *, dwarf_attr_integrate, (struct rl_dwarf_die *, unsigned,      \
                                                             struct rl_dwarf_attribute *))         \
    each(const char *, dwarf_formstring, (struct rl_dwarf_attribute *))                            \
    each(int, dwarf_formudata, (struct rl_dwarf_attribute *, uint64_t *))                          \
    each(const char *, dwarf_diename, (struct rl_dwarf_die *))                                     \
    each(int, dwarf_getsrcfiles, (struct rl_dwarf_die *, rl_dwarf_files **, size_t *))             \
    each(const char *, dwarf_filesrc, (rl_dwarf_files *, size_t, uint64_t *, uint64_t *))          \
    each(int, dwarf_getsrclines, (struct rl_dwarf_die *, rl_dwarf_lines **, size_t *))             \
    each(rl_dwarf_line *, dwarf_onesrcline, (rl_dwarf_lines *, size_t))                            \
    each(rl_dwarf_line *, dwarf_getsrc_die, (struct rl_dwarf_die *, uint64_t))                     \
    each(const char *, dwarf_linesrc, (rl_dwarf_line *, uint64_t *, uint64_t *))                   \
    each(int, dwarf_lineno, (rl_dwarf_line *, int *))                                              \
    each(int, dwarf_lineaddr, (rl_dwarf_line *, uint64_t *))
/* clang-format on */

struct rl_dw {
#define RL_DECLARE(result, name, parameters) result(*name) parameters;
    RL_DW_FUNCTIONS(RL_DECLARE)
#undef RL_DECLARE
};

#endif
