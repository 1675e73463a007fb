/*
 * Creates strings from printf formats, extended by objects (`%@`) and numbered arguments.
 *
 * A format is parsed twice. The first pass collects the types of the arguments. So the arguments
 * can be read from the list in order, even if the format uses them in another order.
 */

#include "base/system.h"

#include "strings/characters.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { most_arguments = 64, widest = 1 << 20 };

enum kind {
    UNUSED,
    INTEGER,
    LONG,
    LONG_LONG,
    REAL,
    LONG_REAL,
    POINTER,
};

union argument {
    int integer;
    long of_long;
    long long of_long_long;
    double real;
    long double of_long_real;
    const void *pointer;
};

struct formatter {
    const char *function;
    const char *format;
    enum kind kinds[most_arguments];
    union argument arguments[most_arguments];
    int count;
    /* The index of the argument for the next specifier without a number. */
    int next;
};

/* The width and the precision are either numbers or indices of arguments. */
struct specifier {
    char flags[8];
    int width, width_argument;
    int precision, precision_argument;
    char length[3];
    char conversion;
    int argument;
};

enum { none = -1 };

__attribute__((noreturn)) static void fail_format(const struct formatter *formatter,
                                                  const char *rule)
{
    rl_client_error(formatter->function, "the format \"%.200s\" %s", formatter->format, rule);
}

static int read_digits(const struct formatter *formatter, const char **next)
{
    int number = 0;
    for (; **next >= '0' && **next <= '9'; (*next)++) {
        number = number * 10 + (**next - '0');
        if (number > widest) {
            fail_format(formatter,
                        "contains a number that is too large: use a smaller width or precision");
        }
    }
    return number;
}

/* Parses a number such as `12$`. Returns the index of the argument, or `none`. */
static int read_position(const struct formatter *formatter, const char **next)
{
    const char *at = *next;
    int number = read_digits(formatter, &at);
    if (at == *next || *at != '$') return none;
    *next = at + 1;
    if (number == 0 || number > most_arguments) {
        fail_format(formatter, "numbers an argument that cannot exist: use numbers from 1 to 64");
    }
    return number - 1;
}

static int take_argument(struct formatter *formatter, int position)
{
    int index = position == none ? formatter->next++ : position;
    if (index >= most_arguments) {
        fail_format(formatter, "has more than 64 arguments: split the format");
    }
    return index;
}

/* Parses a width or precision: a number, or a star for an argument. */
static void read_amount(struct formatter *formatter, const char **next, int *ret_number,
                        int *ret_argument)
{
    *ret_argument = none;
    if (**next != '*') {
        *ret_number = read_digits(formatter, next);
        return;
    }
    (*next)++;
    *ret_argument = take_argument(formatter, read_position(formatter, next));
}

static void read_length(const char **next, struct specifier *specifier)
{
    size_t count = strspn(*next, "hlLqjzt");
    if (count >= sizeof specifier->length) count = sizeof specifier->length - 1;
    memcpy(specifier->length, *next, count);
    *next += count;
}

/* `next` is after the percent sign. The conversion is NUL if the format ends in the specifier. */
static struct specifier read_specifier(struct formatter *formatter, const char **next)
{
    struct specifier specifier = {
        .width_argument = none, .precision = none, .precision_argument = none, .argument = none};
    int position = read_position(formatter, next);
    size_t flags = strspn(*next, "-+ #0'");
    if (flags >= sizeof specifier.flags) {
        fail_format(formatter, "repeats flags: use each flag once");
    }
    memcpy(specifier.flags, *next, flags);
    *next += flags;
    read_amount(formatter, next, &specifier.width, &specifier.width_argument);
    if (**next == '.') {
        (*next)++;
        read_amount(formatter, next, &specifier.precision, &specifier.precision_argument);
    }
    read_length(next, &specifier);
    specifier.conversion = **next;
    if (**next) (*next)++;
    bool has_argument = specifier.conversion && specifier.conversion != '%';
    if (has_argument) specifier.argument = take_argument(formatter, position);
    return specifier;
}

static enum kind kind_of_specifier(const struct formatter *formatter,
                                   const struct specifier *specifier)
{
    char length = specifier->length[0];
    switch (specifier->conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        if (length == 'q' || strcmp(specifier->length, "ll") == 0) return LONG_LONG;
        if (length == 'j') return sizeof(intmax_t) == sizeof(long) ? LONG : LONG_LONG;
        return length == 'l' || length == 'z' || length == 't' ? LONG : INTEGER;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': return length == 'L' ? LONG_REAL : REAL;
    case 'c':
    case 'C': return INTEGER;
    case '@':
    case 's':
    case 'p':
        if (length == 0) return POINTER;
        break;
    default: break;
    }
    fail_format(formatter, "has an unknown conversion: use those of printf(3), or %@");
}

_Static_assert(sizeof(size_t) == sizeof(long) && sizeof(intmax_t) == sizeof(long long),
               "%z and %t take a long, %j a long or a long long");

static void note_kind(struct formatter *formatter, int argument, enum kind kind)
{
    if (argument == none) return;
    enum kind *known = &formatter->kinds[argument];
    if (*known != UNUSED && *known != kind) {
        fail_format(formatter, "uses an argument with two types: use one type for each argument");
    }
    *known = kind;
    if (argument >= formatter->count) formatter->count = argument + 1;
}

static void read_kinds(struct formatter *formatter)
{
    const char *next = formatter->format;
    formatter->next = 0;
    while ((next = strchr(next, '%'))) {
        next++;
        struct specifier specifier = read_specifier(formatter, &next);
        note_kind(formatter, specifier.width_argument, INTEGER);
        note_kind(formatter, specifier.precision_argument, INTEGER);
        if (specifier.argument == none) continue;
        note_kind(formatter, specifier.argument, kind_of_specifier(formatter, &specifier));
    }
}

static void read_arguments(struct formatter *formatter, va_list arguments)
{
    for (int i = 0; i < formatter->count; i++) {
        union argument *argument = &formatter->arguments[i];
        switch (formatter->kinds[i]) {
        case UNUSED:
            fail_format(formatter,
                        "skips an argument, whose type is therefore unknown: use all arguments");
        case INTEGER: argument->integer = va_arg(arguments, int); break;
        case LONG: argument->of_long = va_arg(arguments, long); break;
        case LONG_LONG: argument->of_long_long = va_arg(arguments, long long); break;
        case REAL: argument->real = va_arg(arguments, double); break;
        case LONG_REAL: argument->of_long_real = va_arg(arguments, long double); break;
        case POINTER: argument->pointer = va_arg(arguments, const void *); break;
        }
    }
}

static int amount_of(const struct formatter *formatter, int number, int argument)
{
    int value = argument == none ? number : formatter->arguments[argument].integer;
    if (value > widest || value < -widest) {
        fail_format(formatter, "gets a width or precision that is too large: pass a smaller one");
    }
    return value;
}

static void add_object_value(struct rl_text *text, const struct formatter *formatter,
                             const void *object)
{
    rl_text_add_string(text, object ? rl_object_copy_value(object, formatter->function) : NULL);
}

/* `%c` takes a code point of one byte; `%C` and `%lc` take a UTF-16 code unit. */
static void add_character(struct rl_text *text, const struct specifier *specifier, unsigned code,
                          int width)
{
    bool is_byte = specifier->conversion == 'c' && specifier->length[0] == 0;
    bool is_left = width < 0 || strchr(specifier->flags, '-');
    int padding = abs(width) > 1 ? abs(width) - 1 : 0;
    char character[5];
    rl_inner_encode(is_byte ? code & 0xFF : code & 0xFFFF, character);
    rl_text_add(text, "%*s%s%*s", is_left ? 0 : padding, "", character, is_left ? padding : 0, "");
}

static void add_as_printf(struct rl_text *text, const struct formatter *formatter,
                          const struct specifier *specifier, int width)
{
    const union argument *argument = &formatter->arguments[specifier->argument];
    int precision = amount_of(formatter, specifier->precision, specifier->precision_argument);
    const char *length = specifier->length[0] == 'q' ? "ll" : specifier->length;
    char format[32];
    snprintf(format, sizeof format, "%%%s*.*%s%c", specifier->flags, length, specifier->conversion);
    switch (formatter->kinds[specifier->argument]) {
    case UNUSED: break;
    case INTEGER: rl_text_add(text, format, width, precision, argument->integer); break;
    case LONG: rl_text_add(text, format, width, precision, argument->of_long); break;
    case LONG_LONG: rl_text_add(text, format, width, precision, argument->of_long_long); break;
    case REAL: rl_text_add(text, format, width, precision, argument->real); break;
    case LONG_REAL: rl_text_add(text, format, width, precision, argument->of_long_real); break;
    case POINTER: rl_text_add(text, format, width, precision, argument->pointer); break;
    }
}

/* As in CF, objects and wide characters ignore width and precision. */
static void add_argument(struct rl_text *text, const struct formatter *formatter,
                         const struct specifier *specifier)
{
    const union argument *argument = &formatter->arguments[specifier->argument];
    int width = amount_of(formatter, specifier->width, specifier->width_argument);
    char conversion = specifier->conversion;
    if (conversion == '@') {
        add_object_value(text, formatter, argument->pointer);
    } else if (conversion == 'c' || conversion == 'C') {
        add_character(text, specifier, (unsigned)argument->integer, conversion == 'c' ? width : 0);
    } else if (conversion == 's' && !argument->pointer) {
        rl_text_add(text, "(null)");
    } else {
        add_as_printf(text, formatter, specifier, width);
    }
}

static struct rl_text print_format(struct formatter *formatter)
{
    struct rl_text text = {0};
    const char *next = formatter->format;
    formatter->next = 0;
    for (;;) {
        size_t literal = strcspn(next, "%");
        rl_text_add(&text, "%.*s", (int)literal, next);
        next += literal;
        if (*next == 0) return text;
        next++;
        struct specifier specifier = read_specifier(formatter, &next);
        if (specifier.conversion == '%') rl_text_add(&text, "%%");
        if (specifier.argument != none) add_argument(&text, formatter, &specifier);
    }
}

/*
 * Combines surrogate pairs, and replaces bytes that are invalid in the internal encoding. Such
 * bytes come from a client's C strings, or from a precision that truncates a character.
 */
static struct rl_text repair_text(struct rl_text *text)
{
    struct rl_text result = {0};
    struct rl_utf16 cursor = rl_utf16_begin(text->characters ? text->characters : "");
    rl_text_add_bytes(&result, "", 0);
    for (int unit; (unit = rl_utf16_next(&cursor)) >= 0;) {
        rl_text_add_units(&result, &(UniChar){(UniChar)unit}, 1);
    }
    free(text->characters);
    return result;
}

static bool is_sound(const struct rl_text *text)
{
    return text->characters && rl_string_is_text(text->characters, kRLStringEncodingUTF8);
}

struct rl_text rl_format(const char *function, RLStringRef format, va_list arguments)
{
    rl_expect_string(format, function, "format");
    /* Copies a mutable format: a client's `copyDescription` may change it during the parsing. */
    RLStringRef copy = rl_string_is_mutable(format) ? RLStringCreateCopy(NULL, format) : NULL;
    const char *characters = rl_string_characters(copy ? copy : format);
    struct formatter formatter = {.function = function, .format = characters};
    read_kinds(&formatter);
    read_arguments(&formatter, arguments);
    struct rl_text text = print_format(&formatter);
    if (copy) RLRelease(copy);
    return is_sound(&text) ? text : repair_text(&text);
}

static RLStringRef create_formatted(const char *function, RLStringRef format, va_list arguments)
{
    struct rl_text text = rl_format(function, format, arguments);
    return rl_text_finish(&text);
}

RLStringRef RLStringCreateWithFormatAndArguments(RLAllocatorRef allocator,
                                                 RLDictionaryRef formatOptions, RLStringRef format,
                                                 va_list arguments)
{
    (void)allocator, (void)formatOptions;
    return create_formatted(__func__, format, arguments);
}

RLStringRef RLStringCreateWithFormat(RLAllocatorRef allocator, RLDictionaryRef formatOptions,
                                     RLStringRef format, ...)
{
    (void)allocator, (void)formatOptions;
    va_list arguments;
    va_start(arguments, format);
    RLStringRef string = create_formatted(__func__, format, arguments);
    va_end(arguments);
    return string;
}
