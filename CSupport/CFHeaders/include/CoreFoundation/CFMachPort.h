/* Replaces CoreFoundation's CFMachPort.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
