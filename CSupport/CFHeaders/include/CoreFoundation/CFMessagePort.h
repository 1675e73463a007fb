/* Replaces CoreFoundation's CFMessagePort.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
