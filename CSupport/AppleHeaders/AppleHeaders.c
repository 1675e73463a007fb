/*
 * SwiftPM requires a source file in each target. This target only has headers: headers of Apple's
 * systems that programs use in addition to CoreFoundation's headers. They are written from public
 * documentation.
 */

#include <CFNetwork/CFNetwork.h>
#include <CoreServices/CoreServices.h>
