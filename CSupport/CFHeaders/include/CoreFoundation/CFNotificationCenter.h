/* Replaces CoreFoundation's CFNotificationCenter.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
