/* Replaces CoreFoundation's CFNumber.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
