/* Replaces CoreFoundation's CFData.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
