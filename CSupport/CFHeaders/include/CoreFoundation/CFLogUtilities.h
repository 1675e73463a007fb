/* Replaces CoreFoundation's CFLogUtilities.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
