/* Replaces CoreFoundation's CFAvailability.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
