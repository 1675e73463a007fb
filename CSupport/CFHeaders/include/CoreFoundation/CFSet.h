/* Replaces CoreFoundation's CFSet.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
