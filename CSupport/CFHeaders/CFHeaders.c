/*
 * A target of the package has a source file. All that this one gives are headers, by which
 * `#include <CoreFoundation/CoreFoundation.h>` leads to CRunLoop/CFCompatibility.h.
 */

#include <CRunLoop/CFCompatibility.h>
