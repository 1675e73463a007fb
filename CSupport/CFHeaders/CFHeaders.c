/*
 * SwiftPM requires a source file in each target. This target only has headers, with which `#include
 * <CoreFoundation/CoreFoundation.h>` includes CRunLoop/CFCompatibility.h.
 */

#include <CRunLoop/CFCompatibility.h>
