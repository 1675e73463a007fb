/* Replaces CoreFoundation's CoreFoundation.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
