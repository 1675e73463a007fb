/*
 * Bytes that another process may send as the user info of a notification. A value that was read can
 * be written, and read again as the same value.
 */

#include "notifications/property_list.h"

#include <CHarness.h>
#include <CRunLoop/CRunLoop.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct rl_property_list_reader reader = {.next = input, .end = input + size};
    RLTypeRef value = rl_property_list_read(&reader);
    if (value && !reader.has_failed) {
        RLMutableDataRef data = RLDataCreateMutable(NULL, 0);
        CHECK(rl_property_list_append(data, value));
        const uint8_t *bytes = RLDataGetBytePtr(data);
        struct rl_property_list_reader again = {.next = bytes,
                                                .end = bytes + RLDataGetLength(data)};
        RLTypeRef copy = rl_property_list_read(&again);
        CHECK(copy && !again.has_failed && again.next == again.end);
        RLMutableDataRef more = RLDataCreateMutable(NULL, 0);
        CHECK(rl_property_list_append(more, copy));
        /* Keys with equal hashes may change places; NaN equals no number. */
        CHECK(RLEqual(more, data) || RLEqual(copy, value));
        RLRelease(more);
        RLRelease(copy);
        RLRelease(data);
    }
    if (value) RLRelease(value);
    return 0;
}
