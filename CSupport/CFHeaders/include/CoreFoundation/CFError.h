/* Replaces CoreFoundation's CFError.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
