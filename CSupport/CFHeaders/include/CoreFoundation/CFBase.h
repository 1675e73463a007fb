/* Replaces CoreFoundation's CFBase.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
