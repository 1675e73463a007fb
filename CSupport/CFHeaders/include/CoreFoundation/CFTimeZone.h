/* Replaces CoreFoundation's CFTimeZone.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
