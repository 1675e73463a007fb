/* Replaces CoreFoundation's CFArray.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
