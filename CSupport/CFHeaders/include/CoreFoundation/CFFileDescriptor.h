/* Replaces CoreFoundation's CFFileDescriptor.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
