/*
 * The names of the properties of streams.
 */

#include <CRunLoop/RLStream.h>

RLStringRef const kRLStreamPropertyDataWritten = RLSTR("kRLStreamPropertyDataWritten");
RLStringRef const kRLStreamPropertyAppendToFile = RLSTR("kRLStreamPropertyAppendToFile");
RLStringRef const kRLStreamPropertyFileCurrentOffset = RLSTR("kRLStreamPropertyFileCurrentOffset");
RLStringRef const kRLStreamPropertySocketRemoteHostName =
    RLSTR("kRLStreamPropertySocketRemoteHostName");
RLStringRef const kRLStreamPropertySocketRemotePortNumber =
    RLSTR("kRLStreamPropertySocketRemotePortNumber");
RLStringRef const kRLStreamPropertySocketNativeHandle =
    RLSTR("kRLStreamPropertySocketNativeHandle");
RLStringRef const kRLStreamPropertyShouldCloseNativeSocket =
    RLSTR("kRLStreamPropertyShouldCloseNativeSocket");
RLStringRef const kRLStreamPropertyConnectTimeout = RLSTR("kRLStreamPropertyConnectTimeout");
