/* Replaces CoreFoundation's CFTargetConditionals.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
