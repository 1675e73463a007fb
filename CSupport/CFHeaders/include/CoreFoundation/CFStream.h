/* Replaces CoreFoundation's CFStream.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
