/* Replaces CoreFoundation's CFDictionary.h; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
