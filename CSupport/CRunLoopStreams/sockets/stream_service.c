/*
 * RFC 4594 recommends these code points for the classes of service. Linux itself uses these
 * priorities for interactive, bulk and filler traffic. Without an explicit priority, the kernel
 * would derive a priority from the code point, with a table that predates DSCP.
 */

#include "sockets/stream_service.h"

#include "values/value.h"

#include <stddef.h>

RLStringRef const kRLStreamNetworkServiceType = RLSTR("kRLStreamNetworkServiceType");
RLStringRef const kRLStreamNetworkServiceTypeVoIP = RLSTR("kRLStreamNetworkServiceTypeVoIP");
RLStringRef const kRLStreamNetworkServiceTypeVideo = RLSTR("kRLStreamNetworkServiceTypeVideo");
RLStringRef const kRLStreamNetworkServiceTypeBackground =
    RLSTR("kRLStreamNetworkServiceTypeBackground");
RLStringRef const kRLStreamNetworkServiceTypeVoice = RLSTR("kRLStreamNetworkServiceTypeVoice");
RLStringRef const kRLStreamNetworkServiceTypeResponsiveData =
    RLSTR("kRLStreamNetworkServiceTypeResponsiveData");
RLStringRef const kRLStreamNetworkServiceTypeAVStreaming =
    RLSTR("kRLStreamNetworkServiceTypeAVStreaming");
RLStringRef const kRLStreamNetworkServiceTypeResponsiveAV =
    RLSTR("kRLStreamNetworkServiceTypeResponsiveAV");
RLStringRef const kRLStreamNetworkServiceTypeCallSignaling =
    RLSTR("kRLStreamNetworkServiceTypeCallSignaling");

enum { CS1 = 8, AF21 = 18, AF31 = 26, CS4 = 32, AF41 = 34, CS5 = 40, EF = 46 };
enum { FILLER = 1, INTERACTIVE_BULK = 4, INTERACTIVE = 6 };

static const struct rl_service_type types[] = {
    {&kRLStreamNetworkServiceTypeBackground, CS1, FILLER},
    {&kRLStreamNetworkServiceTypeResponsiveData, AF21, INTERACTIVE_BULK},
    {&kRLStreamNetworkServiceTypeAVStreaming, AF31, INTERACTIVE_BULK},
    {&kRLStreamNetworkServiceTypeResponsiveAV, CS4, INTERACTIVE_BULK},
    {&kRLStreamNetworkServiceTypeVideo, AF41, INTERACTIVE_BULK},
    {&kRLStreamNetworkServiceTypeVoIP, CS5, INTERACTIVE},
    {&kRLStreamNetworkServiceTypeCallSignaling, CS5, INTERACTIVE},
    {&kRLStreamNetworkServiceTypeVoice, EF, INTERACTIVE},
};

const struct rl_service_type *rl_service_type_find(RLTypeRef value)
{
    if (!value || RLGetTypeID(value) != RLStringGetTypeID()) return NULL;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (rl_string_equal(value, *types[i].name)) return &types[i];
    }
    return NULL;
}
