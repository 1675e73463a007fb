/* Replaces CoreFoundation's CFDate.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
