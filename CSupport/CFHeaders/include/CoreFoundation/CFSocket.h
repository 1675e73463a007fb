/* Replaces CoreFoundation's CFSocket.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
