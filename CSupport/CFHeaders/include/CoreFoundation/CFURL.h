/* Replaces CoreFoundation's CFURL.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
