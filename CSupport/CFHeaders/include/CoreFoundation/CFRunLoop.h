/* Replaces CoreFoundation's CFRunLoop.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
