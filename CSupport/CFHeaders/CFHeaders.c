/*
 * A target of the package needs a source file. This target consists of headers, so that `#include
 * <CoreFoundation/CoreFoundation.h>` includes CRunLoop/CFCompatibility.h.
 */

#include <CRunLoop/CFCompatibility.h>
