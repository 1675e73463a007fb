/* Replaces CoreFoundation's CFString.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
